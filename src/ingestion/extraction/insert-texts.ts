import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ParsedDocument, ParsedPage, ParseInput, SubType } from '@lectern/file-to-markdown';
import { cleanText, ParseError, parse, recognizedText, sourceFromBuffer } from '@lectern/file-to-markdown';
import { IngestionError } from '../ingestion-error.js';
import { type CollectedDocument, PLACEHOLDER } from './collect-pictures.js';
import type { ExtractedText } from './extraction-engine.js';
import { PARSED_FILE, TEXTS_FILE } from './extraction-step.js';

/** A page, of which an engine may have read something. */
export interface ExtractedPage extends ParsedPage {
  /** Where its texts are in the Markdown. */
  extracted?: { start: number; end: number; by: string }[];
}

type Input = Pick<ParseInput, 'textBudget' | 'warn' | 'signal' | 'onProgress'>;

/**
 * The document whose pictures were collected, with what an engine has read in their places. Its HTML is read as that of any
 * file, and so are its warnings.
 */
export async function insertTexts(
  input: Input,
  { folder, extractedBy }: { folder: string; extractedBy: string },
): Promise<ParsedDocument> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'));
  const document: CollectedDocument = await read(PARSED_FILE);
  const texts: Record<string, ExtractedText> = await read(TEXTS_FILE);
  const { subType, mediaType, title } = document;
  for (const warning of document.warnings) input.warn?.(...warning);
  return {
    subType: subType as SubType,
    mediaType,
    ...(title !== undefined && { title }),
    pages: needText(
      document.isWholeFile
        ? readWholeFile(document, texts, input, extractedBy)
        : insert(document, texts, input, extractedBy),
    ),
  };
}

/** The pages that an engine has read of a whole file. */
async function* readWholeFile(
  { pictures: [file] }: CollectedDocument,
  texts: Record<string, ExtractedText>,
  { textBudget, signal }: Input,
  by: string,
): AsyncGenerator<ExtractedPage> {
  const text = texts[file?.key ?? ''];
  for (const [index, page] of (text?.pages ?? []).entries()) {
    signal?.throwIfAborted();
    const markdown = await toMarkdown({ mediaType: text?.mediaType ?? 'text/plain', pages: [page] });
    textBudget?.spend(markdown.length);
    yield { number: index + 1, markdown, extracted: [{ start: 0, end: markdown.length, by }] };
  }
}

async function* needText(pages: AsyncGenerator<ExtractedPage>): AsyncGenerator<ExtractedPage> {
  let hasText = false;
  for await (const page of pages) {
    hasText ||= /[\p{L}\p{N}]/u.test(page.markdown);
    yield page;
  }
  if (!hasText) throw nothingRead();
}

async function* insert(
  { nonce, pages, pictures }: CollectedDocument,
  texts: Record<string, ExtractedText>,
  { textBudget, warn, signal, onProgress }: Input,
  by: string,
): AsyncGenerator<ExtractedPage> {
  for (const [index, page] of pages.entries()) {
    signal?.throwIfAborted();
    const parts = new PageParts();
    let end = 0;
    for (const found of page.markdown.matchAll(PLACEHOLDER)) {
      const [mark, of, number] = found;
      const picture = of === nonce ? pictures[Number(number)] : undefined;
      if (!picture) continue;
      const before = page.markdown.slice(end, found.index);
      end = found.index + mark.length;
      parts.add(before);
      const text = texts[picture.key];
      const read = text ? await toMarkdown(text) : '';
      textBudget?.spend(read.length);
      if (read === '') {
        parts.add(picture.ownText ?? '');
        if (picture.loss) warn?.(picture.loss.code, picture.loss);
      } else parts.add(isInTableRow(page.markdown, found.index) ? toCell(read) : read, by);
    }
    parts.add(page.markdown.slice(end));
    yield { ...page, ...parts.end() };
    onProgress?.((index + 1) / pages.length);
  }
}

/** The Markdown of a page, put together of its own text and that of an engine. */
class PageParts {
  #markdown = '';
  #wasEmpty = true;
  readonly #extracted: { start: number; end: number; by: string }[] = [];

  add(text: string, by?: string): void {
    // Where nothing came of a picture, there are no blank lines on both sides; nor at the start of a page.
    const added = this.#wasEmpty && /(?:^|\n\n)$/.test(this.#markdown) ? text.trimStart() : text;
    this.#wasEmpty = added === '';
    const start = this.#markdown.length;
    this.#markdown += added;
    if (by !== undefined) this.#extracted.push({ start, end: this.#markdown.length, by });
  }

  end(): Pick<ExtractedPage, 'markdown' | 'extracted'> {
    const markdown = this.#markdown.trimEnd();
    return { markdown, ...(this.#extracted.length > 0 && { extracted: this.#extracted }) };
  }
}

function isInTableRow(markdown: string, index: number): boolean {
  return markdown.startsWith('|', markdown.lastIndexOf('\n', index) + 1);
}

/** A row of a table is one line. */
const toCell = (markdown: string): string => markdown.replace(/\s+/g, ' ').replace(/(?<!\\)\|/g, '\\|');

/** An engine is a stranger: what it says is read like a file of the same type. */
async function toMarkdown({ mediaType, pages }: ExtractedText): Promise<string> {
  const parts: string[] = [];
  for (const page of pages) {
    if (mediaType === 'text/html') parts.push(await fromHtml(page));
    else parts.push(mediaType === 'text/plain' ? recognizedText(page) : closeFence(cleanText(page)));
  }
  return parts.join('\n\n').trim();
}

/** An open code block would go on in the text of the document. */
function closeFence(markdown: string): string {
  let fence = '';
  for (const [, mark = '', info = ''] of markdown.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && info.trim() === '') fence = '';
  }
  return fence === '' ? markdown : `${markdown}\n${fence}`;
}

async function fromHtml(html: string): Promise<string> {
  const parts: string[] = [];
  try {
    const { pages } = await parse({
      // Whatever it begins with, it is HTML.
      source: sourceFromBuffer(Buffer.from(`<!doctype html>\n${html}`)),
      mediaType: 'text/html',
      fileName: 'page.html',
    });
    for await (const { markdown } of pages) parts.push(markdown);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  return parts.join('\n\n');
}

const nothingRead = (): IngestionError =>
  new IngestionError(
    'nothing_recognized',
    'The pages are pictures, in which the extraction engine has found no text; upload a better scan, or a file with text.',
  );
