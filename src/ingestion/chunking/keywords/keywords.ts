import { runAtOnce, type Steps } from '../../../async/steps.js';
import { type Candidate, candidatesOf } from './candidates.js';
import { joinCollocations } from './collocations.js';
import { type Token, tokenize } from './tokens.js';
import { computeWordWeights, type WordWeights } from './weights.js';

/** Characters analyzed: the largest chunk that splitting creates. An edited chunk may be longer. */
const MAX_CHARACTERS = 8_000;
/** Tokens of a document's samples that are kept until their keywords are asked for: some 30 MB. */
const MAX_KEPT_TOKENS = 400_000;
const KEYWORDS = 8;

/**
 * The words and two-word terms that a person might choose as tags of a text, with weights above 0 and up to 1
 * (the best has 1), best first. They are given as they are written most often; forms of one stem count
 * together.
 *
 * @param limit most words; default 8
 */
export const extractKeywords = (text: string, limit = KEYWORDS): Record<string, number> =>
  runAtOnce(extractKeywordsInSteps(text, limit));

/** The same in steps. */
export function* extractKeywordsInSteps(text: string, limit = KEYWORDS): Steps<Record<string, number>> {
  const tokens = yield* tokenize(text.slice(0, MAX_CHARACTERS));
  yield;
  return yield* chooseKeywords(tokens, limit);
}

/** The keywords of a document's chunks, where those of some weigh what stands in all of them. */
export class DocumentKeywords {
  private readonly weights: WordWeights;
  /** Texts take long to tokenize, above all those without spaces. */
  private readonly kept = new Map<string, Token[]>();

  /**
   * @param samples e.g. the chunks at the document's beginning
   * @param languages of the document, as far as known
   */
  constructor(
    samples: readonly string[],
    private readonly languages: readonly string[] = [],
  ) {
    this.weights = computeWordWeights(this.tokenizeSamples(samples));
  }

  of(text: string, limit = KEYWORDS): Record<string, number> {
    const tokens = this.kept.get(text) ?? this.tokenize(text);
    this.kept.delete(text);
    return runAtOnce(chooseKeywords(tokens, limit, this.weights));
  }

  private *tokenizeSamples(samples: readonly string[]): Generator<Token[]> {
    let count = 0;
    for (const text of samples) {
      const tokens = this.tokenize(text);
      count += tokens.length;
      if (count <= MAX_KEPT_TOKENS) this.kept.set(text, tokens);
      yield tokens;
    }
  }

  private tokenize(text: string): Token[] {
    return runAtOnce(tokenize(text.slice(0, MAX_CHARACTERS), this.languages));
  }
}

function* chooseKeywords(
  tokens: Token[],
  limit: number,
  weights?: WordWeights,
): Steps<Record<string, number>> {
  const joined = yield* joinCollocations(tokens, weights);
  yield;
  const ranked = candidatesOf(joined);
  for (const candidate of ranked) candidate.score = score(candidate, weights);
  ranked.sort((a, b) => b.score - a.score || a.first - b.first);
  const best = ranked[0]?.score ?? 1;
  const chosen: Record<string, number> = {};
  for (const { forms, score } of ranked.slice(0, limit))
    chosen[mostFrequent(forms)] = Math.max(0.01, Math.round((score / best) * 100) / 100);
  return chosen;
}

/** Repetition tells more, but each further one less. */
function score({ key, forms, worth }: Candidate, weights: WordWeights | undefined): number {
  return (1 + Math.log(forms.length)) * worth * (weights?.weightOf(key) ?? 1);
}

/** Of forms that are equally common, the shorter, and one in lower case: the singular within a sentence. */
function mostFrequent(forms: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  const rank = ([form, count]: [string, number]) =>
    count * 100 - form.length - (/^\p{Lu}/u.test(form) ? 0.5 : 0);
  return [...counts].reduce((most, entry) => (rank(entry) > rank(most) ? entry : most))[0];
}
