/** A chunk as far as it matters for how it goes on with the next one. */
export interface JoinableChunk {
  content: string;
  edited: boolean;
  /** Where it was in the source; undefined where that is not known. */
  span?: { start: number; end: number } | undefined;
}

export interface JoinedChunks {
  text: string;
  /** Where in the text each chunk is. */
  places: { start: number; end: number }[];
}

/** Shorter ends that are also a beginning are more likely chance than overlap. */
const MIN_OVERLAP = 8;
/** Chunks repeat at most half of the largest size. */
const MAX_OVERLAP = 4_000;
/** Line feeds: an empty line parts paragraphs. */
const MAX_GAP = 2;

/**
 * Chunks that follow each other as one text, which says once what they repeat. White space between them is not stored: line
 * feeds stand for it. The text of each chunk is in it as it is.
 */
export function joinChunks(chunks: readonly JoinableChunk[]): JoinedChunks {
  const joined: JoinedChunks = { text: '', places: [] };
  for (const [place, chunk] of chunks.entries()) {
    const before = chunks[place - 1];
    const gap = before ? gapBetween(before, chunk) : 0;
    const start = joined.text.length + Math.min(gap, MAX_GAP);
    joined.text += gap < 0 ? chunk.content.slice(-gap) : '\n'.repeat(Math.min(gap, MAX_GAP)) + chunk.content;
    joined.places.push({ start, end: joined.text.length });
  }
  return joined;
}

/** Characters of white space between two chunks; below zero: of text that both have. */
function gapBetween(before: JoinableChunk, after: JoinableChunk): number {
  if (before.span && after.span && !before.edited && !after.edited) {
    const gap = after.span.start - before.span.end;
    if (gap >= 0 || isOverlap(before, after, -gap)) return gap;
  }
  const overlap = findOverlap(before.content, after.content);
  return overlap >= MIN_OVERLAP ? -overlap : MAX_GAP;
}

const isOverlap = (before: JoinableChunk, after: JoinableChunk, length: number): boolean =>
  length < after.content.length && before.content.endsWith(after.content.slice(0, length));

/** The longest beginning of a text, but not all of it, with which another one ends: by Knuth, Morris and Pratt. */
function findOverlap(before: string, after: string): number {
  const most = Math.min(before.length, after.length - 1, MAX_OVERLAP);
  // The longest shorter beginning with which each beginning ends.
  const shorter = [0];
  for (let length = 1, matched = 0; length < most; length++) {
    while (matched > 0 && after[length] !== after[matched]) matched = shorter[matched - 1] ?? 0;
    if (after[length] === after[matched]) matched++;
    shorter.push(matched);
  }
  let matched = 0;
  for (let at = before.length - most; at < before.length; at++) {
    while (matched > 0 && (matched === most || before[at] !== after[matched]))
      matched = shorter[matched - 1] ?? 0;
    if (before[at] === after[matched]) matched++;
  }
  return matched;
}
