import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist';
import type { SourceBytes } from '../../source-bytes.js';

const assets = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Starts reading a PDF with pdf.js, which is loaded at the first call and runs on this thread. pdf.js takes
 * the memory it is given away from its owner, so it gets memory of its own, filled from the stream.
 *
 * @param maxPixels of a picture; larger ones are left out. 0: all of them, since decoding one may take hundreds of megabytes
 */
export async function openPdf(source: SourceBytes, maxPixels = 0): Promise<PDFDocumentLoadingTask> {
  const { getDocument } = await loadPdfJs();
  return getDocument({
    data: await readBytes(source),
    // Chinese, Japanese and Korean fonts that are not embedded name one of these tables.
    cMapUrl: `${assets}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    maxImageSize: maxPixels,
    // JPEG 2000 and JBIG2.
    wasmUrl: `${assets}/wasm/`,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableFontFace: true,
    // How fonts map codes to characters.
    fontExtraProperties: true,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: false,
    verbosity: 0,
  });
}

async function readBytes(source: SourceBytes): Promise<Uint8Array> {
  const bytes = new Uint8Array(source.size);
  let length = 0;
  for await (const chunk of source.stream()) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes;
}

let pdfJs: ReturnType<typeof importPdfJs> | undefined;

export function loadPdfJs(): ReturnType<typeof importPdfJs> {
  pdfJs ??= importPdfJs();
  return pdfJs;
}

/** While it loads, pdf.js warns of what only drawing needs: an optional package, and classes of browsers. */
async function importPdfJs() {
  if (!('DOMMatrix' in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} });
  const { warn } = console;
  console.warn = () => {};
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    console.warn = warn;
  }
}
