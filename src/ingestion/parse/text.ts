import { decodeText } from '../decode-text.js';
import type { Parsed, ParseInput } from './types.js';

const XML_DECLARATION = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)["']/i;

/** Plain text, JSON, XML and the like, as they are. */
export async function parseText(input: ParseInput): Promise<Parsed> {
  return onePage(decodeText(input.bytes, declaredCharset(input)).text);
}

/** Markdown, as it is; its first heading of level one, else the `title` of its front matter, is the title. */
export async function parseMarkdown(input: ParseInput): Promise<Parsed> {
  const { text } = decodeText(input.bytes, declaredCharset(input));
  const title = firstHeading(text) ?? /^---\n(?:.{0,500}\n){0,50}?title:\s*(.{1,300})/.exec(text)?.[1];
  return onePage(text, title);
}

/** A document without pages. */
export function onePage(markdown: string, title?: string): Parsed {
  return { pages: [{ number: 1, markdown }], ...(title && { title }) };
}

/** The encoding that the sender (media type) or the file (XML declaration, `<meta>`) names. */
export function declaredCharset({ mediaType = '', bytes }: ParseInput): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
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
