/** Ends a clause wherever it stands. */
const FULL_WIDTH = /[，、：）]/;
/** Ends a clause before a blank only: elsewhere it is part of an address, a time or a number. */
const BEFORE_BLANK = /[,;:)]["'”’»]?$/;
/** No text begins with one of these, also after a blank. */
const CLOSING = /^\s*(?:[,;:?)\]}…，、。．：；！？）」』】〉》]|!(?!\[)|\.(?![\p{L}\p{N}]))/u;
const CLOSING_QUOTE = /^["'”’»]/;
const LOOK_AROUND = 16;
/** How far a cut is moved to the front to take a word's character along with closing marks. */
const MAX_MARKS = 8;

/**
 * Where to cut a text that is too long for one piece: the offset, within `(start, start + size]`, after the
 * best break of the window's second half - a line break, else the end of a clause, else white space - and
 * otherwise at `size` itself, less where that would split a surrogate pair or part marks from their word.
 *
 * @param size in UTF-16 code units, at least 2
 */
export function findBreak(text: string, start: number, size: number): number {
  const limit = start + size;
  const floor = start + Math.ceil(size / 2);
  let clause = 0;
  let space = 0;
  for (let index = limit; index > floor; index--) {
    const before = text[index - 1] ?? '';
    if (before === '\n') {
      if (canStartText(text, index)) return index;
    } else if (!clause && endsClause(text, index)) clause = index;
    else if (!space && /\s/.test(before) && canStartText(text, index)) space = index;
  }
  return clause || space || cutWithin(text, limit, Math.max(start + 1, limit - MAX_MARKS));
}

/** Where the first clause of the last `length` characters begins; the text's end if none does. */
export function lastClausesStart(text: string, length: number): number {
  for (let index = text.length - length; index < text.length; index++) {
    if (endsClause(text, index) && /[\p{L}\p{N}]/u.test(text.slice(index))) return skipSpace(text, index);
  }
  return text.length;
}

/** Whether what follows can be where a sentence or a piece begins: it cannot with marks that close or separate. */
export function canStartText(text: string, index: number): boolean {
  const after = text.slice(index, index + LOOK_AROUND);
  return !CLOSING.test(after) && !CLOSING_QUOTE.test(after);
}

function endsClause(text: string, index: number): boolean {
  const mark = text[index - 1] ?? '';
  if (FULL_WIDTH.test(mark)) return !isWithinNumber(text, index - 1) && canStartText(text, index);
  if (!/\s/.test(text[index] ?? '')) return false;
  return BEFORE_BLANK.test(text.slice(Math.max(0, index - 2), index)) && canStartText(text, index);
}

function cutWithin(text: string, limit: number, floor: number): number {
  for (let index = limit; index >= floor; index--) {
    if (!splitsPair(text, index) && canStartText(text, index)) return index;
  }
  return splitsPair(text, limit) ? limit - 1 : limit;
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
