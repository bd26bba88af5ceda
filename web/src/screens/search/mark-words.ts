/** A piece of text, and whether it is what was searched. */
export interface Piece {
  text: string;
  isMarked: boolean;
}

/** Endings that a stem of the server lacks: "refund" of "refunding", "polic" would be too short for "police force". */
const MAX_ENDING = 4;
const MIN_STEM = 3;
/** Scripts that are written without spaces: their terms are found anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Cuts a text where searched words begin and end. The server searches stems; a word counts as one of theirs where it is
 * the stem with a short ending.
 */
export function markWords(text: string, terms: readonly string[]): Piece[] {
  const spans = [...spansOfRuns(text, terms), ...spansOfWords(text, terms)].sort(([a], [b]) => a - b);
  const pieces: Piece[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    if (from > at) pieces.push({ text: text.slice(at, from), isMarked: false });
    pieces.push({ text: text.slice(from, end), isMarked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false });
  return join(pieces);
}

type Span = [start: number, end: number];

function spansOfRuns(text: string, terms: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const term of terms.filter((one) => UNSPACED.test(one))) {
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
      spans.push([at, at + term.length]);
  }
  return spans;
}

function spansOfWords(text: string, terms: readonly string[]): Span[] {
  const stems = terms.filter((term) => !UNSPACED.test(term)).map(plain);
  const spans: Span[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const form = plain(word);
    if (stems.some((stem) => isFormOf(form, stem))) spans.push([index, index + word.length]);
  }
  return spans;
}

function isFormOf(word: string, stem: string): boolean {
  if (word === stem) return true;
  if (stem.length < MIN_STEM) return false;
  // A stem may end in i where the word has y: "polici" of "policy" and "policies".
  const root = stem.endsWith('i') ? stem.slice(0, -1) : stem;
  return word.startsWith(root) && word.length - root.length <= MAX_ENDING;
}

/** In lower case and without accents. */
const plain = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Makes one piece of neighbours that are alike. */
function join(pieces: Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.isMarked === piece.isMarked) last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}
