import type { Fragment } from './fragments.js';

/** The direction of a piece of a line: of letters, of a number, or of what takes that of its neighbours. */
type Direction = 'left' | 'right' | 'number' | 'neutral';

interface Piece {
  text: string;
  direction: Direction;
}

/** A row with less text from right to left is one from left to right, whatever stands above it. */
const MIN_SHARE = 0.15;
/** The next line of a paragraph is as near as this, and ends as near to where the line above does, in font sizes. */
const NEXT_LINE = 2;
const ALIGNED = 1;
const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{N}]/u;
const ARABIC = /\p{Script=Arabic}/u;
const NUMBERS_AND_SIGNS = /\p{N}+|[#$%‰°€£¥₪]+|[^\p{N}#$%‰°€£¥₪]+/gu;
const NUMBER = /^\p{N}/u;
const UNIT = /^[#$%‰°€£¥₪]/;
const SEPARATOR = /^[.,:/+-]$/;
const SEPARATOR_IN_ARABIC = /^[.,:/]$/;
const BRACKETS = new Map(pairs('()[]{}<>«»'));

/** Whether a row of fragments is written from right to left, with the row above it and whether that is. */
export function isRightToLeft(
  row: readonly Fragment[],
  above: { row: readonly Fragment[]; isRightToLeft: boolean } | undefined,
): boolean {
  const share = lengthOf(row.filter(({ rtl }) => rtl)) / Math.max(1, lengthOf(row));
  if (share > 0.5 || share < MIN_SHARE || !above) return share > 0.5;
  const [size, end, baseline] = [row[0]?.size ?? 0, rightOf(row), row[0]?.baseline ?? 0];
  const isNext = (above.row[0]?.baseline ?? Infinity) - baseline < NEXT_LINE * size;
  return above.isRightToLeft && isNext && Math.abs(rightOf(above.row) - end) < ALIGNED * size;
}

/**
 * The text of a line in the order in which it is read: fragments of right-to-left text are so in themselves, but stand
 * from the left to the right as everything else (the reverse of Unicode's bidirectional algorithm, rules N1 to L4).
 *
 * @param fragments from the left to the right
 * @param isApart whether a blank stands between two of them
 */
export function textInReadingOrder(
  fragments: readonly Fragment[],
  isLineRightToLeft: boolean,
  isApart: (a: Fragment, b: Fragment) => boolean,
): string {
  const isArabic = fragments.some(({ text }) => ARABIC.test(text));
  const pieces: Piece[] = [];
  for (const [index, fragment] of fragments.entries()) {
    const last = fragments[index - 1];
    if (last && isApart(last, fragment)) pieces.push({ text: ' ', direction: 'neutral' });
    for (const piece of fragment.rtl ? [whole(fragment)] : piecesOf(fragment.text, isArabic))
      pieces.push(piece);
  }
  const base = isLineRightToLeft ? 'right' : 'left';
  resolve(pieces, base);
  const runs = runsOf(pieces);
  return (isLineRightToLeft ? runs.reverse() : runs).map(textOf).join('').replace(/ {2,}/g, ' ');
}

const whole = ({ text }: Fragment): Piece => ({ text, direction: 'right' });

/** Words with what stands around them, or numbers with what stands between. */
function piecesOf(text: string, isArabic: boolean): Piece[] {
  if (!LETTER.test(text)) return numbersIn(text, isArabic);
  const characters = [...text];
  const first = characters.findIndex((character) => WORD.test(character));
  const end = characters.findLastIndex((character) => WORD.test(character)) + 1;
  const part = (direction: Direction, from: number, to?: number): Piece => ({
    text: characters.slice(from, to).join(''),
    direction,
  });
  const parts = [part('neutral', 0, first), part('left', first, end), part('neutral', end)];
  return parts.filter((piece) => piece.text);
}

/** A number has its signs of units and separators in it; within Arabic, a hyphen parts two (rules W2 to W5). */
function numbersIn(text: string, isArabic: boolean): Piece[] {
  const tokens = text.match(NUMBERS_AND_SIGNS) ?? [];
  const isNumber = (token: string | undefined) => token !== undefined && NUMBER.test(token);
  const separators = isArabic ? SEPARATOR_IN_ARABIC : SEPARATOR;
  const pieces: Piece[] = [];
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [isNumber(tokens[index - 1]), isNumber(tokens[index + 1])];
    const isPart = (before && after && separators.test(token)) || ((before || after) && UNIT.test(token));
    const direction = isNumber(token) || isPart ? 'number' : 'neutral';
    const last = pieces.at(-1);
    if (last?.direction === 'number' && direction === 'number') last.text += token;
    else pieces.push({ text: token, direction });
  }
  return pieces;
}

/** Numbers behind left-to-right text belong to it; others, and what is neutral, go by what they stand between. */
function resolve(pieces: Piece[], base: 'left' | 'right'): void {
  let before: Direction = base;
  for (const [index, piece] of pieces.entries()) {
    if (piece.direction === 'number' && before === 'left') piece.direction = 'left';
    if (piece.direction === 'neutral') {
      let next = index;
      while (pieces[next]?.direction === 'neutral') next++;
      const isLeft = [before, pieces[next]?.direction ?? base].map((direction) => direction === 'left');
      const direction = isLeft[0] === isLeft[1] ? (isLeft[0] ? 'left' : 'right') : base;
      for (let at = index; at < next; at++) (pieces[at] as Piece).direction = direction;
    }
    before = piece.direction;
  }
}

/** Pieces of one direction beside each other; a number within right-to-left text is a part of that. */
function runsOf(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    const isLeft = piece.direction === 'left';
    if (last && (last[0]?.direction === 'left') === isLeft) last.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

function textOf(run: readonly Piece[]): string {
  if (run[0]?.direction === 'left') return run.map(({ text }) => text).join('');
  return run
    .toReversed()
    .map(({ text, direction }) => (direction === 'number' ? text : mirrored(text)))
    .join('');
}

/** Brackets are drawn as their mirror images, which the glyphs are called by. */
function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»]/g, (bracket) => BRACKETS.get(bracket) ?? bracket);
}

function pairs(brackets: string): [string, string][] {
  const signs = [...brackets];
  return signs.map((sign, index) => [sign, signs[index % 2 === 0 ? index + 1 : index - 1] as string]);
}

const rightOf = (row: readonly Fragment[]): number =>
  row.reduce((most, { right }) => Math.max(most, right), -Infinity);
const lengthOf = (row: readonly Fragment[]): number => row.reduce((sum, { text }) => sum + text.length, 0);
