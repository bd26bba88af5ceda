/** A page, a picture or a whole file that an engine is to read. */
export interface FileToExtract {
  /** Of a local file. */
  path: string;
  /** Bytes. */
  size: number;
  /** By its content, such as `image/png` or `application/pdf`. */
  mediaType: string;
  /** With the extension of its type; engines look at it. */
  fileName: string;
}

/** What an engine read: untrusted text, which the sandbox turns into Markdown. */
export interface ExtractedText {
  mediaType: 'text/markdown' | 'text/html' | 'text/plain';
  /** In order; one where the engine does not say where pages begin. */
  pages: string[];
}

/** Reads what Lectern's own parsers cannot: scans, pictures, and files that only a model understands. */
export interface ExtractionEngine {
  /** `docling`, `tika`, `openai`, `http` or `tesseract`: what chunks name as `extractedBy`. */
  readonly name: string;
  /** Changes with everything that decides what the engine answers: its API, model and languages. */
  readonly version: string;
  /** Whether it reads files of this media type. */
  accepts(mediaType: string): boolean;
  /** @throws EndpointError `isOfRequest` where the engine refuses this file; any other may be tried again */
  extract(file: FileToExtract, signal: AbortSignal): Promise<ExtractedText>;
  /**
   * Asks whether the engine is there and has what it needs, at the start and for `doctor`.
   *
   * @returns what it is, in one line for operators
   * @throws EndpointError
   */
  check(signal: AbortSignal): Promise<string>;
}
