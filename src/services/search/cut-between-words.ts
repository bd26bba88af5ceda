/** How far a cut is moved so that it is not within a word. */
const MAX_WORD = 40;

/** Where the last `length` characters before `end` begin, without a part of a word. */
export function cutBefore(text: string, end: number, length: number): number {
  const start = end - length;
  if (start <= 0) return 0;
  for (let at = start; at < Math.min(end, start + MAX_WORD); at++) {
    if (isSpace(text[at - 1]) && !isSpace(text[at])) return at;
  }
  return isSecondHalf(text[start]) ? start + 1 : start;
}

/** Where the first `length` characters from `start` on end, without a part of a word. */
export function cutAfter(text: string, start: number, length: number): number {
  const end = start + length;
  if (end >= text.length) return text.length;
  for (let at = end; at > Math.max(start, end - MAX_WORD); at--) {
    if (isSpace(text[at]) && !isSpace(text[at - 1])) return at;
  }
  return isSecondHalf(text[end]) ? end - 1 : end;
}

const isSpace = (character = '') => /\s/.test(character);
/** Of a character that UTF-16 writes in two units. */
const isSecondHalf = (unit = '') => unit >= '\udc00' && unit <= '\udfff';
