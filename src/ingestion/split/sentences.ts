/** Ends of sentences (with closing quotes), and line breaks before a list item. */
const CANDIDATE =
  /[.!?。！？；…]+["'”’)\]」』）》〉】]*|\n(?=[ \t]*(?:[-*+•·‣◦▪–] |\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]{1,3}[、)）]))/g;
const ABBREVIATION =
  /(?:^|[\s("'“‘[.])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|St|Sr|Jr|vs|cf|viz|e\.g|i\.e|a\.m|p\.m|Fig|Figs|Eq|Sec|No|Nos|Vol|pp?|Art|al|approx|ca)$/u;
const NUMBERING = /(?:^|\n)[ \t]*\d{1,3}$/;
const LOOK_BEHIND = 12;

/**
 * Offsets in `text` after which a new sentence or list item begins, in order, the end of the text last.
 *
 * `。！？；…` always end one. `. ! ?` do before white space, unless a lower-case word goes on or the full stop
 * belongs to an initial, a number or an abbreviation. Rules instead of `Intl.Segmenter`: it is many times
 * slower, and breaks after "Mr." and at every line end.
 */
export function* sentenceEnds(text: string): Generator<number> {
  let position = 0;
  for (;;) {
    // The pattern is shared: a consumer may run another scan between two steps.
    CANDIDATE.lastIndex = position;
    const match = CANDIDATE.exec(text);
    if (!match) break;
    position = match.index + match[0].length;
    if (position < text.length && isEnd(text, match.index, position)) yield position;
  }
  yield text.length;
}

function isEnd(text: string, start: number, end: number): boolean {
  const mark = text[start] ?? '';
  if (mark === '\n' || /[。！？；…]/.test(text.slice(start, end))) return true;
  const following = text.slice(end, end + LOOK_BEHIND);
  if (!/^\s/.test(following)) return /^\p{Script=Han}/u.test(following) && mark !== '.';
  if (/^[^\S\n]*\n?[^\S\n]*\p{Ll}/u.test(following)) return false;
  if (mark !== '.' || end - start > 1) return true;
  const before = text.slice(Math.max(0, start - LOOK_BEHIND), start);
  return !ABBREVIATION.test(before) && !NUMBERING.test(before);
}
