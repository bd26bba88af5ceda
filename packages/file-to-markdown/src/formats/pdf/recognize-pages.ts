import type { PDFDocumentProxy } from 'pdfjs-dist';
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
 * Has pages read by `recognize`. For those that are pictures, the file is opened once more, now with its pictures. A page that draws
 * its text, or has some already, is given as a PDF of one page, where `recognizeAlso` says so.
 *
 * @returns the Markdown of pages that were read, by their numbers
 */
export async function recognizePages(
  pages: readonly PageToRecognize[],
  pageCount: number,
  { source, recognize, recognizeAlso, signal }: ParseInput,
): Promise<Map<number, string>> {
  const markdown = new Map<number, string>();
  if (!recognize || pages.length === 0) return markdown;
  const singlePages = new SinglePages(source, pageCount);
  const isPdfWanted = recognizeAlso?.pdfPages === true && singlePages.isPossible;
  const task = pages.some(({ isPicture }) => isPicture) ? await openPdf(source, MAX_PIXELS) : undefined;
  try {
    const document = await task?.promise;
    for (const { number, isPicture, loss, ownText } of pages) {
      signal?.throwIfAborted();
      const scan = isPicture && document ? await readerOf(document, number, isPdfWanted) : undefined;
      if (!scan && !singlePages.isPossible) continue;
      const read = scan?.read ?? (() => singlePages.read(number));
      const recognized = await recognize({
        page: number,
        ...(loss && { loss: { code: loss, page: number } }),
        ...(ownText && { ownText }),
        read,
      });
      if (recognized) markdown.set(number, recognized.join('\n\n'));
      scan?.release();
    }
  } finally {
    await task?.destroy();
  }
  return markdown;
}

/** How the picture of a page is decoded; undefined where it draws its text, or has none that can be, and may be given as a PDF. */
async function readerOf(
  document: PDFDocumentProxy,
  number: number,
  isPdfWanted: boolean,
): Promise<(Pick<Picture, 'read'> & { release(): void }) | undefined> {
  const page = await document.getPage(number);
  const decode = async () => {
    const picture = await readPagePicture(page);
    if (!picture) throw new Error('The page has no picture that can be decoded.');
    return picture;
  };
  const release = () => {
    page.cleanup();
  };
  if (!isPdfWanted) return { read: decode, release };
  const picture = (await drawsText(page)) ? undefined : await decode().catch(() => undefined);
  if (picture) return { read: async () => picture, release };
  release();
  return undefined;
}
