import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { corruptFileError, FileError, ParseError } from '../../errors.js';
import type { SourceBytes } from '../../source-bytes.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { FontStyles } from './fonts.js';
import { openPdf } from './open.js';
import { type Layer, type ReadPage, readPage } from './read-page.js';
import { recognizePages } from './recognize-pages.js';
import { readTitle } from './title.js';
import { pagesToMarkdown } from './to-markdown.js';

/** With a larger share of glyphs whose characters nobody knows, the rest is no document. */
const MAX_UNKNOWN = 0.75;
const NOTABLE_GLYPHS = 3;
const NOTABLE_SHARE = 0.01;

/** PDF, page by page with the numbers of the file's own order, from 1. */
export async function parsePdf(input: ParseInput): Promise<ParserResult> {
  const task = await openPdf(input.source);
  try {
    const document = await task.promise;
    const { pages, pictures, damaged, isUnknown } = await readPages(document, input);
    if (isUnknown) throw withoutCharacters();
    const recognized = await recognizePages(pictures, input);
    const hasText = pages.some((layers) => layers.length > 0);
    if (!hasText && recognized.size === 0) throw await withoutText(input.source, damaged);
    for (const page of pictures) if (!recognized.has(page)) input.warn?.('pages_without_text', { page });
    const title = await readTitle(document);
    return { pages: numbered(pagesToMarkdown(pages), recognized), ...(title && { title }) };
  } catch (error) {
    input.signal?.throwIfAborted();
    throw toFileError(error);
  } finally {
    await task.destroy();
  }
}

async function readPages(document: PDFDocumentProxy, { signal, onProgress, textBudget, warn }: ParseInput) {
  const pages: Layer[][] = [];
  const fonts = new FontStyles();
  const pictures: number[] = [];
  let damaged = false;
  let [characters, unknownGlyphs, knownGlyphs] = [0, 0, 0];
  for (let number = 1; number <= document.numPages; number++) {
    signal?.throwIfAborted();
    try {
      const page = await readPage(await document.getPage(number), fonts);
      pages.push(page.layers);
      if (isNotable(page)) warn?.('unknown_characters', { page: number });
      if (page.isPicture) pictures.push(number);
      characters += page.characters;
      unknownGlyphs += page.unknownGlyphs;
      knownGlyphs += page.knownGlyphs;
    } catch {
      // One damaged page does not cost the others; its number stays taken.
      pages.push([]);
      damaged = true;
      warn?.('unreadable_pages', { page: number });
    }
    // All pages are kept until the last is read, and a small file may refer to one page a million times.
    textBudget?.assertAvailable(characters);
    onProgress?.(number / document.numPages);
    // pdf.js runs on this thread; yields between pages.
    await nextTurn();
  }
  const isUnknown = unknownGlyphs > MAX_UNKNOWN * (unknownGlyphs + knownGlyphs);
  return { pages, pictures, damaged, isUnknown };
}

/** A formula or a logo is no loss. */
function isNotable({ unknownGlyphs, knownGlyphs }: ReadPage): boolean {
  return unknownGlyphs >= NOTABLE_GLYPHS && unknownGlyphs > NOTABLE_SHARE * (unknownGlyphs + knownGlyphs);
}

function* numbered(pages: Iterable<string>, recognized: ReadonlyMap<number, string>): Generator<ParsedPage> {
  let number = 0;
  for (const markdown of pages) {
    number++;
    yield { number, markdown: recognized.get(number) ?? markdown };
  }
}

function withoutCharacters(): ParseError {
  const message =
    'The PDF does not say which characters its glyphs stand for; run text recognition (OCR) on it and upload the result.';
  return new ParseError('unknown_characters', message);
}

async function withoutText(source: SourceBytes, damaged: boolean): Promise<ParseError> {
  if (damaged) return corruptFileError('PDF');
  if (!(await hasImages(source))) {
    return new ParseError('empty_text', 'The PDF has no text in it; upload one that does.');
  }
  const message =
    'The PDF holds pictures of pages without text; run text recognition (OCR) on it and upload the result.';
  return new ParseError('scanned', message);
}

/** Image objects are streams, and streams always stand in the file itself, never in a compressed object. */
async function hasImages(source: SourceBytes): Promise<boolean> {
  let tail = '';
  for await (const chunk of source.stream()) {
    const text = tail + Buffer.from(chunk).toString('latin1');
    if (/\/Subtype\s*\/Image\b/.test(text)) return true;
    tail = text.slice(-40);
  }
  return false;
}

function toFileError(error: unknown): FileError {
  if (error instanceof FileError) return error;
  if (error instanceof Error && error.name === 'PasswordException') {
    const message = 'The PDF is protected by a password; remove the password and upload it again.';
    return new ParseError('encrypted', message, { cause: error });
  }
  return corruptFileError('PDF', error);
}
