import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { corruptFileError, FileError, ParseError } from '../../errors.js';
import { isOfRecognize } from '../../recognize-errors.js';
import { cleanText } from '../../shared/text/normalize-text.js';
import type { SourceBytes } from '../../source-bytes.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { FontStyles } from './fonts.js';
import { openPdf } from './open.js';
import { type Layer, type ReadPage, readPage } from './read-page.js';
import { PageRecognizer, type PageToRecognize } from './recognize-pages.js';
import { readTitle } from './title.js';
import { type RenderedPage, renderPages } from './to-markdown.js';

/** With a larger share of glyphs whose characters nobody knows, the rest is no document. */
const MAX_UNKNOWN = 0.75;
const NOTABLE_GLYPHS = 3;
const NOTABLE_SHARE = 0.01;

/** PDF, page by page with the numbers of the file's own order, from 1. */
export async function parsePdf(input: ParseInput): Promise<ParserResult> {
  const task = await openPdf(input.source);
  try {
    const document = await task.promise;
    const recognizer = input.recognize && new PageRecognizer(input, document.numPages, input.recognize);
    const read = await readPages(document, input, recognizer).finally(() => recognizer?.close());
    const isAskedForUnknown = Boolean(input.recognize && input.recognizeAlso?.pdfPages);
    if (read.isUnknown && !isAskedForUnknown) throw withoutCharacters();
    const { rendered, asked } = pagesToAsk(read, input);
    for (const page of asked) await recognizer?.ask(page);
    const recognized = recognizer?.markdown ?? new Map<number, string>();
    if (read.isUnknown && recognized.size === 0) throw withoutCharacters();
    const hasText = read.pages.some((layers) => layers.length > 0);
    if (!hasText && recognized.size === 0) throw await withoutText(input.source, read.damaged);
    for (const page of read.pictures) if (!recognized.has(page)) input.warn?.('pages_without_text', { page });
    for (const page of read.unknown) if (!recognized.has(page)) input.warn?.('unknown_characters', { page });
    const title = await readTitle(document);
    return { pages: numbered(rendered, recognized), ...(title && { title }) };
  } catch (error) {
    input.signal?.throwIfAborted();
    throw toFileError(error);
  } finally {
    await task.destroy();
  }
}

interface ReadPages {
  pages: Layer[][];
  /** Numbers of pages without text that show something. */
  pictures: number[];
  /** Numbers of pages with glyphs whose characters are missed, where they are to be recognized. */
  unknown: number[];
  damaged: boolean;
  isUnknown: boolean;
}

async function readPages(
  document: PDFDocumentProxy,
  { signal, onProgress, textBudget, warn, recognize, recognizeAlso }: ParseInput,
  recognizer: PageRecognizer | undefined,
): Promise<ReadPages> {
  const pages: Layer[][] = [];
  const fonts = new FontStyles();
  const pictures: number[] = [];
  const unknown: number[] = [];
  let damaged = false;
  let [characters, unknownGlyphs, knownGlyphs] = [0, 0, 0];
  for (let number = 1; number <= document.numPages; number++) {
    signal?.throwIfAborted();
    try {
      const page = await readPage(await document.getPage(number), fonts);
      pages.push(page.layers);
      if (isNotable(page)) {
        if (recognize && recognizeAlso?.pdfPages) unknown.push(number);
        else warn?.('unknown_characters', { page: number });
      }
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
    // At once: who only asks whether there is such a page need not wait for all the others.
    if (pictures.at(-1) === number)
      await recognizer?.ask({ number, isPicture: true, loss: 'pages_without_text' });
    // All pages are kept until the last is read, and a small file may refer to one page a million times.
    textBudget?.assertAvailable(characters);
    onProgress?.(number / document.numPages);
    // pdf.js runs on this thread; yields between pages.
    await nextTurn();
  }
  const isUnknown = unknownGlyphs > MAX_UNKNOWN * (unknownGlyphs + knownGlyphs);
  return { pages, pictures, unknown, damaged, isUnknown };
}

/** The Markdown of all pages, and those with text of which something else is to read them, in order. */
function pagesToAsk(
  { pages, unknown }: ReadPages,
  { recognize, recognizeAlso }: ParseInput,
): { rendered: Iterable<RenderedPage>; asked: PageToRecognize[] } {
  const withTables = recognize !== undefined && recognizeAlso?.tables === true;
  if (!withTables && unknown.length === 0) return { rendered: renderPages(pages), asked: [] };
  const isUnknown = new Set(unknown);
  const isAsked = (index: number, hasTable: boolean) => isUnknown.has(index + 1) || (withTables && hasTable);
  const rendered = [...renderPages(pages, isAsked)];
  const asked = rendered.flatMap(({ markdown, hasTable }, index): PageToRecognize[] => {
    if (!isAsked(index, hasTable)) return [];
    const number = index + 1;
    const ownText = cleanText(markdown).trim();
    const loss = isUnknown.has(number) && ({ loss: 'unknown_characters' } as const);
    return [{ number, isPicture: false, ...loss, ...(ownText && { ownText }) }];
  });
  return { rendered, asked };
}

/** A formula or a logo is no loss. */
function isNotable({ unknownGlyphs, knownGlyphs }: ReadPage): boolean {
  return unknownGlyphs >= NOTABLE_GLYPHS && unknownGlyphs > NOTABLE_SHARE * (unknownGlyphs + knownGlyphs);
}

function* numbered(
  pages: Iterable<RenderedPage>,
  recognized: ReadonlyMap<number, string>,
): Generator<ParsedPage> {
  let number = 0;
  for (const { markdown } of pages) {
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

function toFileError(error: unknown): Error {
  if (error instanceof FileError || isOfRecognize(error)) return error;
  if (error instanceof Error && error.name === 'PasswordException') {
    const message = 'The PDF is protected by a password; remove the password and upload it again.';
    return new ParseError('encrypted', message, { cause: error });
  }
  return corruptFileError('PDF', error);
}
