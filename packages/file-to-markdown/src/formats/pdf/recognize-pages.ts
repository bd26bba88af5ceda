import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist';
import type { ParseInput, Picture } from '../../types.js';
import type { WarningCode } from '../../warning-codes.js';
import { drawsText } from './drawn-text.js';
import { openPdf } from './open.js';
import { MAX_PIXELS, readPagePicture } from './page-picture.js';
import { SinglePages } from './single-pages.js';

export interface PageToRecognize {
  number: number;
  /** Whether it shows a picture or a drawing, and no text. */
  isPicture: boolean;
  /** What the page's own text lacks. */
  loss?: WarningCode;
  ownText?: string;
}

/**
 * Has pages read by `recognize`. For the first that is a picture, the file is opened once more, now with its pictures. A page
 * that draws its text, or has some already, is given as a PDF of one page, where `recognizeAlso` says so.
 */
export class PageRecognizer {
  /** Of pages that were read, by their numbers. */
  readonly markdown = new Map<number, string>();
  readonly #singlePages: SinglePages;
  #task: PDFDocumentLoadingTask | undefined;

  constructor(
    private readonly input: ParseInput,
    pageCount: number,
    private readonly recognize: NonNullable<ParseInput['recognize']>,
  ) {
    this.#singlePages = new SinglePages(input.source, pageCount);
  }

  /** @throws what `recognize` throws */
  async ask({ number, isPicture, loss, ownText }: PageToRecognize): Promise<void> {
    const { signal, recognizeAlso } = this.input;
    signal?.throwIfAborted();
    const { isPossible } = this.#singlePages;
    const asPdf = () => this.#singlePages.read(number);
    const isPdfWanted = recognizeAlso?.pdfPages === true && isPossible;
    const scan = isPicture && (await readerOf(await this.#open(), number, isPdfWanted ? asPdf : undefined));
    if (!scan && !isPossible) return;
    const recognized = await this.recognize({
      page: number,
      ...(loss && { loss: { code: loss, page: number } }),
      ...(ownText && { ownText }),
      read: scan ? scan.read : asPdf,
    });
    if (recognized) this.markdown.set(number, recognized.join('\n\n'));
    if (scan) scan.release();
  }

  /** Frees the pictures; others may be asked for after it. */
  async close(): Promise<void> {
    await this.#task?.destroy();
    this.#task = undefined;
  }

  async #open(): Promise<PDFDocumentProxy> {
    this.#task ??= await openPdf(this.input.source, MAX_PIXELS);
    return this.#task.promise;
  }
}

/** How a page without text is given: as its picture, or as a PDF where it draws its text or has no picture that can be decoded. */
async function readerOf(
  document: PDFDocumentProxy,
  number: number,
  asPdf: Picture['read'] | undefined,
): Promise<Pick<Picture, 'read'> & { release(): void }> {
  const page = await document.getPage(number);
  const release = () => {
    page.cleanup();
  };
  if (asPdf && (await drawsText(page))) return { read: asPdf, release };
  const read = async () => {
    const picture = await readPagePicture(page).catch((error) => {
      if (!asPdf) throw error;
    });
    if (picture) return picture;
    if (asPdf) return asPdf();
    throw new Error('The page has no picture that can be decoded.');
  };
  return { read, release };
}
