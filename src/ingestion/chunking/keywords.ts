import { runAtOnce, type Steps } from '../../slices.js';
import { joinCollocations } from './keywords/collocations.js';
import { type Token, tokenize } from './keywords/tokens.js';
import type { WordWeights } from './keywords/weights.js';

export { computeWordWeights, type WordWeights } from './keywords/weights.js';

/** Characters analyzed: the largest chunk that splitting creates. An edited chunk may be longer. */
const MAX_CHARACTERS = 8_000;

interface Candidate {
  key: string;
  count: number;
  first: number;
  worth: number;
  forms: Map<string, number>;
}

/**
 * The words and two-word terms that a person might choose as tags of a text, with weights above 0 and up to 1
 * (the best has 1), best first. They are given as they are written most often; forms of one stem count
 * together.
 *
 * @param limit most words; default 8
 * @param weights word weights from `computeWordWeights`; default: equal
 */
export const extractKeywords = (text: string, limit = 8, weights?: WordWeights): Record<string, number> =>
  runAtOnce(extractKeywordsInSteps(text, limit, weights));

/** The same in steps. */
export function* extractKeywordsInSteps(
  text: string,
  limit = 8,
  weights?: WordWeights,
): Steps<Record<string, number>> {
  const tokens = yield* tokenize(text.slice(0, MAX_CHARACTERS));
  yield;
  const joined = yield* joinCollocations(tokens, weights);
  yield;
  const ranked = candidatesOf(joined)
    .map((candidate) => ({ ...candidate, score: score(candidate, weights) }))
    .sort((a, b) => b.score - a.score || a.first - b.first);
  const best = ranked[0]?.score ?? 1;
  const chosen: Record<string, number> = {};
  for (const { forms, score } of ranked.slice(0, limit))
    chosen[mostFrequent(forms)] = Math.max(0.01, Math.round((score / best) * 100) / 100);
  return chosen;
}

/** Repetition tells more, but each further one less. */
function score({ key, count, worth }: Candidate, weights: WordWeights | undefined): number {
  return (1 + Math.log(count)) * worth * (weights?.weightOf(key) ?? 1);
}

function candidatesOf(tokens: readonly Token[]): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const [first, { form, word, isName, isHeading }] of tokens.entries()) {
    if (word.tagScore === 0) continue;
    const worth = word.tagScore * (isName ? 1.25 : 1) * (isHeading ? 1.15 : 1);
    const candidate = candidates.get(word.key);
    if (!candidate) {
      candidates.set(word.key, { key: word.key, count: 1, first, worth, forms: new Map([[form, 1]]) });
      continue;
    }
    candidate.count++;
    candidate.worth = Math.max(candidate.worth, worth);
    candidate.forms.set(form, (candidate.forms.get(form) ?? 0) + 1);
  }
  return [...candidates.values()];
}

/** Of forms that are equally common, the shorter, and one in lower case: the singular within a sentence. */
function mostFrequent(forms: Map<string, number>): string {
  const rank = ([form, count]: [string, number]) =>
    count * 100 - form.length - (/^\p{Lu}/u.test(form) ? 0.5 : 0);
  return [...forms].reduce((most, entry) => (rank(entry) > rank(most) ? entry : most))[0];
}
