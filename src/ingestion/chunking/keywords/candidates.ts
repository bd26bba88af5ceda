import type { Token } from './tokens.js';

/** A word or term that may become a keyword. */
export interface Candidate {
  key: string;
  /** As written, wherever it stands. */
  forms: string[];
  /** Where it stands first. */
  first: number;
  worth: number;
  score: number;
}

/** The words and terms of a text that can serve as tags. */
export function candidatesOf(tokens: readonly Token[]): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const [first, { word, isName, isHeading }] of tokens.entries()) {
    if (word.tagScore === 0) continue;
    const { key, form } = word;
    const worth = word.tagScore * (isName ? 1.25 : 1) * (isHeading ? 1.15 : 1);
    const candidate = candidates.get(key);
    if (candidate) {
      candidate.worth = Math.max(candidate.worth, worth);
      candidate.forms.push(form);
    } else candidates.set(key, { key, forms: [form], first, worth, score: 0 });
  }
  return [...candidates.values()];
}
