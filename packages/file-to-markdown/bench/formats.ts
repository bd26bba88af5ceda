import type { Truth } from './score.js';
import { epubTruth } from './truth/epub-truth.js';
import { docxTruth, odtTruth, pptxTruth } from './truth/office-truth.js';
import { xlsxTruth } from './truth/xlsx-truth.js';

export interface Format {
  /** Parsers that are compared with. */
  peers: readonly string[];
  /** The file's words from its own structure; or programs, of which words count that all find, where a format is not read so easily. */
  truth: ((file: string) => Promise<Truth>) | readonly string[];
}

/** By the ending of file names. A file with a `.truth.txt` beside it has that as truth. */
export const FORMATS: Record<string, Format> = {
  docx: { peers: ['pandoc', 'markitdown'], truth: docxTruth },
  pptx: { peers: ['pandoc', 'markitdown'], truth: pptxTruth },
  epub: { peers: ['pandoc', 'markitdown'], truth: epubTruth },
  odt: { peers: ['pandoc'], truth: odtTruth },
  xlsx: { peers: ['markitdown', 'pandoc'], truth: xlsxTruth },
  pdf: { peers: ['pymupdf4llm', 'markitdown'], truth: ['pdftotext', 'mupdf'] },
  doc: { peers: ['antiword', 'catdoc'], truth: ['antiword', 'catdoc'] },
  rtf: { peers: ['pandoc'], truth: ['striprtf', 'unrtf'] },
  html: { peers: ['trafilatura', 'markitdown'], truth: [] },
};
