import type { PDFDocument } from '@cantoo/pdf-lib';
import type { SourceBytes } from '../../source-bytes.js';
import type { EncodedPicture } from '../../types.js';

/** The file is read into memory as a whole, in objects. */
const MAX_BYTES = 200 * 2 ** 20;

/** Pages of a PDF, each as a PDF of its own. The library is loaded, and the file is read, for the first of them. */
export class SinglePages {
  #document: Promise<PDFDocument> | undefined;

  constructor(
    private readonly source: SourceBytes,
    private readonly pageCount: number,
  ) {}

  /** Whether the file is not too large. */
  get isPossible(): boolean {
    return this.source.size <= MAX_BYTES;
  }

  /** @throws an error where the file, or the page, cannot be taken apart */
  async read(number: number): Promise<EncodedPicture> {
    const { writePage } = await import('./write-page.js');
    this.#document ??= this.#open();
    return { mediaType: 'application/pdf', bytes: await writePage(await this.#document, number) };
  }

  async #open(): Promise<PDFDocument> {
    const { ParseSpeeds, PDFDocument } = await import('@cantoo/pdf-lib');
    const document = await PDFDocument.load(await this.source.readAll(), {
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fast,
      // Who may open the file without one may read it: owners only restrict what programs offer to do with it.
      password: '',
    });
    // Of a damaged tree of pages, two programs may find different ones.
    if (document.getPageCount() !== this.pageCount) throw new Error('The pages of the PDF are not clear.');
    return document;
  }
}
