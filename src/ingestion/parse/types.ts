/** What a file is, as `documentSubType` names it. */
export type SubType =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'csv'
  | 'md'
  | 'html'
  | 'txt'
  | 'json'
  | 'xml'
  | 'rtf'
  | 'epub'
  | 'eml'
  | 'odt';

export interface ParseInput {
  bytes: Uint8Array;
  /** Hints, used where the content itself leaves the type or the encoding open. */
  fileName?: string;
  mediaType?: string;
  signal?: AbortSignal;
  /** Called with a fraction from 0 to 1 that never falls. */
  onProgress?: (fraction: number) => void;
}

export interface ParsedPage {
  /** From 1; always 1 where a format has no pages. */
  number: number;
  markdown: string;
}

/** What a parser of one family of formats returns. */
export interface Parsed {
  title?: string;
  pages: ParsedPage[];
}

export interface ParsedDocument extends Parsed {
  subType: SubType;
  mediaType: string;
}

export type Parser = (input: ParseInput) => Promise<Parsed>;
