import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentLoadingTask,
} from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { alone, client, type Inputs } from '../../../../api/trpc';
import { CMapReaderFactory, StandardFontDataFactory, WasmFactory } from './pdf-assets';

type DocumentRef = Pick<Inputs['documents']['readSource'], 'scope' | 'documentId'>;

/** What one call answers. */
const MAX_BYTES = 2 ** 20;
const RANGE_BYTES = 2 ** 18;
/** Larger pictures are left out. */
const MAX_PIXELS = 2 ** 25;

GlobalWorkerOptions.workerSrc = workerUrl;

/** Reads the parts of a file that pdf.js asks for. */
class SourceTransport extends PDFDataRangeTransport {
  onFailure: (error: unknown) => void = () => {};

  constructor(
    private readonly ref: DocumentRef,
    size: number,
    initial: Uint8Array,
  ) {
    super(size, initial);
  }

  override requestDataRange(begin: number, end: number): void {
    readRange(this.ref, begin, end).then((bytes) => this.onDataRange(begin, bytes), this.onFailure);
  }
}

/**
 * Opens the file of a document as a PDF. It is read as far as pages need it, by a worker that loads nothing itself.
 *
 * @param onFailure a part of the file could not be read
 */
export async function openPdf(
  ref: DocumentRef,
  onFailure: (error: unknown) => void,
): Promise<PDFDocumentLoadingTask> {
  const first = await read(ref, 0, RANGE_BYTES);
  const transport = new SourceTransport(ref, first.sizeBytes, toBytes(first.base64));
  transport.onFailure = onFailure;
  return getDocument({
    range: transport,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    useWorkerFetch: false,
    CMapReaderFactory,
    StandardFontDataFactory,
    WasmFactory,
    maxImageSize: MAX_PIXELS,
    verbosity: 0,
  });
}

async function readRange(ref: DocumentRef, begin: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - begin);
  for (let offset = begin; offset < end; offset += MAX_BYTES) {
    const length = Math.min(MAX_BYTES, end - offset);
    const { base64 } = await read(ref, offset, length);
    bytes.set(toBytes(base64), offset - begin);
  }
  return bytes;
}

const read = (ref: DocumentRef, offset: number, length: number) =>
  client.documents.readSource.query({ ...ref, offset, length }, { context: alone });

const toBytes = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
