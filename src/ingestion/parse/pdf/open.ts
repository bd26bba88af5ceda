import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist';

const assets = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Starts reading a PDF with pdf.js, which is loaded at the first call. It runs on this thread; `bytes` are
 * copied, because pdf.js takes their memory away.
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentLoadingTask> {
  const { getDocument } = await loadPdfJs();
  return getDocument({
    data: new Uint8Array(bytes),
    // Chinese, Japanese and Korean fonts that are not embedded name one of these tables.
    cMapUrl: `${assets}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    disableFontFace: true,
    useSystemFonts: false,
    isEvalSupported: false,
    stopAtErrors: false,
    verbosity: 0,
  });
}

function loadPdfJs() {
  // pdf.js makes a DOMMatrix while it loads; the optional package it takes the class from may be missing.
  if (!('DOMMatrix' in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} });
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
