const MAX_MARKS = 10;
/** Marks over and under letters of Hebrew and Arabic. */
const MARKS =
  /^\s*[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]+\s*$/;

interface Glyphs {
  text: string;
  left: number;
  /** Place in the order of the content stream. */
  order: number;
}

export const isVowelMark = (text: string): boolean => text.length <= MAX_MARKS && MARKS.test(text);

/**
 * Puts vowels and other marks that are drawn by themselves behind the letter they belong to, of right-to-left text.
 * Most programs write such text from the left to the right, and a mark before its letter.
 */
export function attachMarks<T extends Glyphs>(row: readonly T[]): T[] {
  if (!row.some(isMark)) return [...row];
  const inStream = row.toSorted((a, b) => a.order - b.order);
  const letters = inStream.filter((fragment) => !isMark(fragment));
  const steps = letters.map(({ left }, index) => Math.sign(left - (letters[index - 1]?.left ?? left)));
  const isFromLeft = steps.reduce((sum, step) => sum + step, 0) >= 0;
  const attached: T[] = [];
  let marks = '';
  for (const fragment of isFromLeft ? inStream : inStream.toReversed()) {
    if (isMark(fragment)) marks = fragment.text + marks;
    else {
      attached.push(marks ? { ...fragment, text: fragment.text + marks } : fragment);
      marks = '';
    }
  }
  const last = attached.at(-1);
  if (marks && last) attached[attached.length - 1] = { ...last, text: last.text + marks };
  return attached;
}

const isMark = ({ text }: Glyphs): boolean => isVowelMark(text);
