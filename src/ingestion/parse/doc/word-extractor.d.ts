declare module 'word-extractor' {
  interface Options {
    filterUnicode?: boolean;
    includeHeadersAndFooters?: boolean;
  }
  interface Document {
    getBody(options?: Options): string;
    getTextboxes(options?: Options): string;
    getFootnotes(options?: Options): string;
    getEndnotes(options?: Options): string;
  }
  export default class WordExtractor {
    extract(source: Buffer): Promise<Document>;
  }
}
