import { stopWords } from './stop-words.js';
import type { Token } from './tokens.js';

const LONGEST_HAN = 6;

/** The key of two neighbours that could be one term. */
export function pairKey(left: Token | undefined, right: Token | undefined): string | undefined {
  if (!left || !right?.isAdjacent || left.word.isHan !== right.word.isHan) return undefined;
  if (left.word.isHan)
    return isHanPart(left) && isHanPart(right) && fits(left, right)
      ? left.word.key + right.word.key
      : undefined;
  const isTerm = left.word.tagScore > 0 && right.word.tagScore >= 1 && left.word.key !== right.word.key;
  return isTerm ? `${left.word.key} ${right.word.key}` : undefined;
}

function isHanPart({ form }: Token): boolean {
  return !stopWords.has(form) && !/^第?[一二三四五六七八九十百千万亿零〇两几数]+$/.test(form);
}

/** A character with something before it is more often that one's end than the next word's beginning. */
function fits(left: Token, right: Token): boolean {
  if (left.form.length === 1 && left.isAdjacent && right.form.length > 1) return false;
  return left.form.length + right.form.length <= LONGEST_HAN;
}
