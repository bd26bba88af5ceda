import { isAbbreviated } from './abbreviations.js';
import { canStartText } from './cut.js';

/** Ends of sentences (with closing quotes), and line breaks before a list item. */
const CANDIDATE =
  /[.!?。！？；｡．؟۔।॥…]+["'”’»)\]」』）》〉】]*|\n(?=[ \t]*(?:[-*+•·‣◦▪–] |\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]{1,3}[、)）]))/g;
const ALWAYS = /[。！？；｡؟۔।॥]/;
const UNSPACED = /^["“‘「『（《〈【]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Before Han or kana dots end a sentence only where they close a quotation. */
const ENDS_UNSPACED = /[!?．”」』]/;
const LOOK_AROUND = 16;

/**
 * Offsets in `text` after which a new sentence or list item begins, in order, the end of the text last.
 *
 * `。！？；` and their like always end one, unless a mark follows with which none begins. `. ! ? …` do before white space, unless a
 * lower-case word goes on or the full stop belongs to an abbreviation. Rules instead of `Intl.Segmenter`: it is
 * many times slower, and breaks after "Mr." and at every line end.
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
  const marks = text.slice(start, end);
  if (marks === '\n') return true;
  if (!canStartText(text, end)) return false;
  const after = text.slice(end, end + LOOK_AROUND);
  if (ALWAYS.test(marks)) return true;
  if (!/^\s/.test(after)) return UNSPACED.test(after) && ENDS_UNSPACED.test(marks);
  if (/^[^\S\n]*(?:\n[^\S\n]*)?\p{Ll}/u.test(after)) return false;
  return marks !== '.' || !isAbbreviated(text.slice(Math.max(0, start - LOOK_AROUND), start), after);
}
