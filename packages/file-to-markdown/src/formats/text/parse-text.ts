import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { parseFrontMatter } from './front-matter.js';
import { streamText } from './read-text.js';
import { splitAtParagraphs } from './split-at-paragraphs.js';

export { readText, streamText } from './read-text.js';

/** Plain text, as it is. A form feed begins a new page, as it does for printers. */
export async function parseText(input: ParseInput): Promise<ParserResult> {
  return { pages: printedPages(splitAtParagraphs(streamText(input))) };
}

/** Markdown, as it is, but the fields above it as a paragraph; they or the first heading have its title. */
export async function parseMarkdown(input: ParseInput): Promise<ParserResult> {
  const texts = splitAtParagraphs(streamText(input));
  const first = await texts.next();
  const text = first.done ? '' : first.value;
  const matter = parseFrontMatter(text);
  const heading = firstHeading(matter?.body ?? text);
  const title = matter?.title ?? heading;
  const parts = matter && [!heading && matter.title && `# ${matter.title}`, matter.fields, matter.body];
  const start = parts?.filter(Boolean).join('\n\n') ?? text;
  return { pages: unpaged(start, texts), ...(title && { title }) };
}

/** A document without pages. */
export function singlePage(markdown: string, title?: string): ParserResult & { pages: ParsedPage[] } {
  return { pages: [{ number: 1, markdown }], ...(title && { title }) };
}

/** The first heading of level one, outside code. */
export function firstHeading(markdown: string): string | undefined {
  const text = markdown
    .slice(0, 2 ** 18)
    .replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm, '');
  return (/^# {1,3}(\S.{0,300})$/m.exec(text) ?? /^(\S.{0,300})\n={3,}[ \t]*$/m.exec(text))?.[1]?.trim();
}

async function* unpaged(first: string, rest: AsyncIterable<string>): AsyncGenerator<ParsedPage> {
  yield { number: 1, markdown: first };
  for await (const markdown of rest) yield { number: 1, markdown };
}

async function* printedPages(texts: AsyncIterable<string>): AsyncGenerator<ParsedPage> {
  let number = 1;
  let hasBegun = false;
  for await (const text of texts) {
    for (const [index, markdown] of text.split('\f').entries()) {
      if (index > 0 && hasBegun) number++;
      if (!markdown.trim()) continue;
      hasBegun = true;
      yield { number, markdown };
    }
  }
}
