import { decodeText } from '../decode-text.js';
import type { Parsed, ParsedPage, ParseInput } from './types.js';

const XML_DECLARATION = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)["']/i;

/** Plain text, JSON, XML and the like, as they are. */
export async function parseText(input: ParseInput): Promise<Parsed> {
  return onePage(await readText(input));
}

/** Markdown, as it is; its first heading of level one, else the `title` of its front matter, is the title. */
export async function parseMarkdown(input: ParseInput): Promise<Parsed> {
  const text = await readText(input);
  const title = firstHeading(text) ?? /^---\n(?:.{0,500}\n){0,50}?title:\s*(.{1,300})/.exec(text)?.[1];
  return onePage(text, title);
}

/** The whole source as text. */
export async function readText(input: ParseInput): Promise<string> {
  const bytes = await input.source.whole();
  return decodeText(bytes, declaredCharset(input, bytes)).text;
}

/** A document without pages. */
export function onePage(markdown: string, title?: string): Parsed & { pages: ParsedPage[] } {
  return { pages: [{ number: 1, markdown }], ...(title && { title }) };
}

/** The encoding that the sender (media type) or the file (XML declaration, `<meta>`) names. */
function declaredCharset({ mediaType = '' }: ParseInput, bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 4096).toString('latin1');
  return (
    /;\s*charset\s*=\s*["']?([\w-]+)/i.exec(mediaType)?.[1] ??
    XML_DECLARATION.exec(head)?.[1] ??
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
  );
}

/** The first heading of level one. */
export function firstHeading(markdown: string): string | undefined {
  return /^# {1,3}(\S.{0,300})$/m.exec(markdown)?.[1]?.trim();
}
