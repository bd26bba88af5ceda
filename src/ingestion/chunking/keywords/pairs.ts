import type { Token } from './tokens.js';

const LONGEST_HAN = 6;

/** The key of two neighbours that could be one term. */
export function pairKey(left: Token | undefined, right: Token | undefined): string | undefined {
  if (!left || !right?.isAdjacent || left.word.isHan !== right.word.isHan) return undefined;
  if (left.word.isHan)
    return left.word.isHanPart && right.word.isHanPart && fits(left, right)
      ? left.word.key + right.word.key
      : undefined;
  const isTerm = left.word.tagScore > 0 && right.word.tagScore >= 1 && left.word.key !== right.word.key;
  return isTerm ? `${left.word.key} ${right.word.key}` : undefined;
}

/** A character with something before it is more often that one's end than the next word's beginning. */
function fits(left: Token, right: Token): boolean {
  if (left.word.form.length === 1 && left.isAdjacent && right.word.form.length > 1) return false;
  return left.word.form.length + right.word.form.length <= LONGEST_HAN;
}
