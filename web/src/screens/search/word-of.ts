/** Shorter stems begin many words that are not theirs. */
const MIN_STEM = 3;

/**
 * The word of a question that a searched term is made of, such as `postage` for `postag`; the term itself where none
 * begins with it.
 */
export function wordOf(term: string, question: string): string {
  if (term.length < MIN_STEM) return term;
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.find((word) => word === term) ?? words.find((word) => word.startsWith(term)) ?? term;
}
