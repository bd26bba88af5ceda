import { SaxesParser } from 'saxes';
import { toPages } from '../../shared/tables/to-pages.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { firstHeading, parseText, streamText } from '../text/parse-text.js';
import { NAMED_CHARACTERS } from './element-kinds.js';
import { ParagraphBuilder } from './paragraph-builder.js';

/**
 * XML of any kind as text that reads well: records as lines of fields, documents and feeds as prose with headings.
 * Faults are forgiven; what has no elements is plain text. Entities that the document declares are not expanded.
 */
export async function parseXmlDocument(input: ParseInput): Promise<ParserResult> {
  const pages = toPages(1, paragraphs(input));
  const first = await pages.next();
  if (first.done) return parseText(input);
  const title = firstHeading(first.value.markdown);
  return { pages: following(first.value, pages), ...(title && { title }) };
}

async function* following(first: ParsedPage, rest: AsyncIterable<ParsedPage>): AsyncGenerator<ParsedPage> {
  yield first;
  yield* rest;
}

async function* paragraphs(input: ParseInput): AsyncGenerator<string> {
  const outline = new ParagraphBuilder();
  const parser = new SaxesParser();
  Object.assign(parser.ENTITIES, NAMED_CHARACTERS);
  // Without a listener, the first fault would end the reading.
  parser.on('error', () => {});
  parser.on('opentag', ({ name, attributes }) => outline.open(name, attributes));
  parser.on('closetag', () => outline.close());
  parser.on('text', (text) => outline.text(text));
  parser.on('cdata', (text) => outline.text(text));
  for await (const text of streamText(input)) {
    parser.write(text);
    yield* outline.take();
  }
  parser.close();
  yield* outline.end();
}
