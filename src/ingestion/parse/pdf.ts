import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { corrupt, ParseError } from './parse-error.js';
import { type Glyphs, type Line, toLines } from './pdf/lines.js';
import { openPdf } from './pdf/open.js';
import { pagesToMarkdown } from './pdf/to-markdown.js';
import type { Parsed, ParseInput } from './types.js';

/** PDF, page by page with the numbers of the file's own order, from 1. */
export async function parsePdf(input: ParseInput): Promise<Parsed> {
  const bytes = await input.source.whole();
  const task = await openPdf(bytes);
  try {
    const document = await task.promise;
    const { pages, damaged } = await readPages(document, input);
    if (pages.every((lines) => lines.length === 0)) throw withoutText(bytes, damaged);
    const title = await titleOf(document);
    const markdown = pagesToMarkdown(pages);
    return {
      pages: markdown.map((text, index) => ({ number: index + 1, markdown: text })),
      ...(title && { title }),
    };
  } catch (error) {
    input.signal?.throwIfAborted();
    throw toParseError(error);
  } finally {
    await task.destroy();
  }
}

async function readPages(document: PDFDocumentProxy, { signal, onProgress }: ParseInput) {
  const pages: Line[][] = [];
  let damaged = false;
  for (let number = 1; number <= document.numPages; number++) {
    signal?.throwIfAborted();
    try {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(toLines(items.filter((item): item is Extract<typeof item, Glyphs> => 'str' in item)));
      page.cleanup();
    } catch {
      // One damaged page does not cost the others; its number stays taken.
      pages.push([]);
      damaged = true;
    }
    onProgress?.(number / document.numPages);
    // pdf.js works on this thread; other requests get their turn between pages.
    await nextTurn();
  }
  return { pages, damaged };
}

/** Titles that are file names of the program that wrote the PDF tell nothing. */
async function titleOf(document: PDFDocumentProxy): Promise<string | undefined> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const title = (info as { Title?: unknown }).Title;
  if (typeof title !== 'string' || /^(?:microsoft \w+ - |untitled)|\.\w{2,5}$/i.test(title)) return undefined;
  return title.trim() || undefined;
}

function withoutText(bytes: Buffer, damaged: boolean): ParseError {
  if (damaged) return corrupt('PDF');
  // Image objects are streams, and streams always stand in the file itself, never in a compressed object.
  const hasImages = /\/Subtype\s*\/Image\b/.test(bytes.toString('latin1'));
  if (!hasImages) return new ParseError('empty_text', 'The PDF has no text in it; upload one that does.');
  const message =
    'The PDF holds pictures of pages without text; run text recognition (OCR) on it and upload the result.';
  return new ParseError('scanned', message);
}

function toParseError(error: unknown): ParseError {
  if (error instanceof ParseError) return error;
  if (error instanceof Error && error.name === 'PasswordException') {
    const message = 'The PDF is protected by a password; remove the password and upload it again.';
    return new ParseError('encrypted', message, { cause: error });
  }
  return corrupt('PDF', error);
}
