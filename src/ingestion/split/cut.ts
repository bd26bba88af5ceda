const CLAUSE_END = /[,;:，、：）)]/;

/**
 * Where to cut a text that is too long for one piece: the offset, within `(start, start + size]`, after the
 * best break of the window's second half - a line break, else the end of a clause, else white space - and
 * otherwise at `size` itself, one less where that would split a surrogate pair.
 *
 * @param size in UTF-16 code units, at least 2
 */
export function cutPoint(text: string, start: number, size: number): number {
  const limit = start + size;
  const floor = start + Math.ceil(size / 2);
  let clause = 0;
  let space = 0;
  for (let index = limit - 1; index >= floor; index--) {
    const character = text[index] ?? '';
    if (character === '\n') return index + 1;
    if (!clause && CLAUSE_END.test(character) && !isWithinNumber(text, index)) clause = index + 1;
    if (!space && /\s/.test(character)) space = index + 1;
  }
  return clause || space || (splitsPair(text, limit) ? limit - 1 : limit);
}

/** Where the first clause of the last `length` characters begins; the text's end if none does. */
export function lastClauses(text: string, length: number): number {
  for (let index = text.length - length; index < text.length; index++) {
    const isEnd = CLAUSE_END.test(text[index - 1] ?? '') && !isWithinNumber(text, index - 1);
    if (isEnd && /[\p{L}\p{N}]/u.test(text.slice(index))) return skipSpace(text, index);
  }
  return text.length;
}

function isWithinNumber(text: string, index: number): boolean {
  return /\d/.test(text[index + 1] ?? '') && /\d/.test(text[index - 1] ?? '');
}

function skipSpace(text: string, index: number): number {
  let position = index;
  while (position < text.length && /\s/.test(text[position] ?? '')) position++;
  return position;
}

function splitsPair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
