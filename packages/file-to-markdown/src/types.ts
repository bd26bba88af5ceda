import type { SourceBytes } from './source-bytes.js';
import type { TextBudget } from './text-budget.js';
import type { WarningCode } from './warning-codes.js';

/** What a file is, as `documentSubType` names it. */
export type SubType =
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'odt'
  | 'rtf'
  | 'pptx'
  | 'xlsx'
  | 'xls'
  | 'epub'
  | 'eml'
  | 'msg'
  | 'html'
  | 'md'
  | 'csv'
  | 'tsv'
  | 'json'
  | 'ndjson'
  | 'xml'
  | 'yaml'
  | 'txt'
  | 'png'
  | 'jpeg'
  | 'webp'
  | 'tiff'
  | 'heic';

/** Reports a loss, once for each page or name. */
export type Warn = (code: WarningCode, where: WarningPlace) => void;

export interface WarningPlace {
  page?: number;
  name?: string;
  /** The file within the file, where it is in one; parsers do not give it. */
  file?: string;
}

export interface ParseInput {
  source: SourceBytes;
  /** Hints, used where the content itself leaves the type or the encoding open. */
  fileName?: string;
  mediaType?: string;
  signal?: AbortSignal;
  /** Limit of the text; default: none. */
  textBudget?: TextBudget;
  /** Called with a fraction from 0 to 1 that never falls. */
  onProgress?: (fraction: number) => void;
  warn?: Warn;
  /** Whether comments on a document, slide or sheet are kept, with files within it; default: true. */
  comments?: boolean;
  /**
   * Reads a file within this one, such as an attachment of a mail, as Markdown; undefined where files are nested
   * too deep to go on.
   *
   * @throws ParseError as `parse` does
   */
  parseEmbeddedFile?: (bytes: Uint8Array, hints: EmbeddedFileHints) => Promise<string | undefined>;
  /**
   * Reads a picture that stands in place of text, by text recognition (OCR) or a model; without it, such pages have no text.
   *
   * @returns its pages as Markdown, one where it is a page of a document; undefined where it is not read
   * @throws what `parse` is to throw
   */
  recognize?: (picture: Picture) => Promise<string[] | undefined>;
  /** What `recognize` is asked for beside pages without text and files that are pictures; default: nothing. */
  recognizeAlso?: RecognizeAlso;
}

export interface RecognizeAlso {
  /** Pictures among text that are large enough to have some: in DOCX, PPTX, EPUB and HTML. */
  pictures?: boolean;
  /** Pages of a PDF that have a table, each as a PDF of one page. */
  tables?: boolean;
  /** Pages of a PDF whose text is drawn or has unknown characters, each as a PDF of one page. */
  pdfPages?: boolean;
}

/** A warning, with its place. */
export interface Loss extends WarningPlace {
  code: WarningCode;
}

/** A page of a document, a picture among its text, or a whole file that is a picture. */
export interface Picture {
  /** Of the document, from 1. */
  page: number;
  /** Whether it is among text, as pictures in it and attachments are, and no page of the document. */
  isInText?: boolean;
  /** Markdown of the page that stays where the picture is not read. */
  ownText?: string;
  /** What is lost where the picture is not read; parsers warn of it where `recognize` returns undefined. */
  loss?: Loss;
  /** Decodes it. */
  read(): Promise<GrayPicture | EncodedPicture>;
}

/** One byte for each pixel, 0 is black; row by row from the top. */
export interface GrayPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A file, such as a PNG. */
export interface EncodedPicture {
  mediaType: string;
  bytes: Uint8Array;
}

export interface EmbeddedFileHints {
  fileName?: string;
  mediaType?: string;
  /** Of the file that it is in; default: 1. */
  page?: number;
}

export interface ParsedPage {
  /** From 1; always 1 where a format has no pages. */
  number: number;
  markdown: string;
  /** The name of the sheet in a workbook. */
  sheet?: string;
  /** The rows of a sheet or a CSV file that the lines of the Markdown show, line by line, from 1; null: of none. */
  rows?: (number | null)[];
}

/** What a parser of one family of formats returns. */
export interface ParserResult {
  title?: string;
  /** In order. Several may have the same number: a large page comes in parts that end between paragraphs. */
  pages: Iterable<ParsedPage> | AsyncIterable<ParsedPage>;
}

export interface ParsedDocument {
  title?: string;
  /** To be read once; may throw ParseError until its end. */
  pages: AsyncIterable<ParsedPage>;
  subType: SubType;
  mediaType: string;
}

export type Parser = (input: ParseInput) => Promise<ParserResult>;
