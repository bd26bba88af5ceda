/** The words that stand in no other text. */
const MARKER = /\bm\d{7}\b/g;

/** What a document should say, in pieces that each stand in one of its chunks. */
export interface Content {
  /** Markers of a text that was made here, or the texts of the chunks that a fixture has. */
  pieces: string[];
  isFixture: boolean;
  /** Those that stand on scanned pages. */
  scanned?: string[];
  /** Of what was uploaded. */
  sha256?: string;
}

export const markersOf = (text: string): string[] => [...text.matchAll(MARKER)].map(([marker]) => marker);

/** Which pieces of the content a chunk's text holds. */
export const piecesIn = (text: string, { isFixture }: Content): string[] =>
  isFixture ? [text] : [...new Set(markersOf(text))];

export const contentOf = (text: string): Content => ({ pieces: markersOf(text), isFixture: false });
