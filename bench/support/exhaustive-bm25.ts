import { termsOf } from '../../src/search/ranking/analyze.js';
import { parseQuery } from '../../src/search/ranking/query-terms.js';
import { B, K1, K3, PAIR_WEIGHT } from '../../src/search/ranking/weights.js';

interface TokenizedChunk {
  id: string;
  /** Separated by spaces. */
  tokens: string;
}

/**
 * Scores every chunk by BM25 with pairs, written down as plainly as the formula: what an engine that skips nothing
 * would find.
 *
 * @returns the chunks that hold a term of the query, best first, with unnormalized scores
 */
export function createExhaustiveSearch(chunks: TokenizedChunk[]) {
  const documents = chunks.map(({ id, tokens }) => {
    const terms = tokens.split(' ').filter(Boolean).flatMap(termsOf);
    return { id, tokens, length: terms.length, frequencies: count(terms) };
  });
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const documentFrequencies = new Map<string, number>();
  for (const { frequencies } of documents) {
    for (const term of frequencies.keys())
      documentFrequencies.set(term, (documentFrequencies.get(term) ?? 0) + 1);
  }

  return (text: string, language: 'english' | 'chinese') => {
    const { terms, counts, pairs, pairCounts } = parseQuery({ text, language });
    const idf = (term: string) => {
      const holders = documentFrequencies.get(term) ?? 0;
      return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    };
    return documents
      .map(({ id, tokens, length, frequencies }) => {
        const saturate = (frequency = 0) =>
          frequency / (frequency + K1 * (1 - B + (B * length) / averageLength));
        let score = 0;
        for (const [i, term] of terms.entries()) {
          const repeated = counts[i] as number;
          score += ((idf(term) * (K3 + 1) * repeated) / (K3 + repeated)) * saturate(frequencies.get(term));
        }
        for (const [i, [a, b]] of pairs.entries()) {
          const [first, second] = [terms[a] as string, terms[b] as string];
          if (!frequencies.has(first) || !frequencies.has(second)) continue;
          const words = tokens.split(' ');
          const neighbours = words.filter((word, i) => word === second && words[i - 1] === first).length;
          const weight = PAIR_WEIGHT * (pairCounts[i] as number) * Math.max(idf(first), idf(second));
          score += weight * saturate(neighbours);
        }
        return { id, score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  };
}

function count(items: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/**
 * The share of the best ten that an engine found. Of equal scores it does not matter which, so it counts whether what
 * was found is as good as what should be.
 */
export function overlapAt10(found: string[], exhaustive: { id: string; score: number }[]): number {
  const best = exhaustive.slice(0, 10);
  if (best.length === 0) return found.length === 0 ? 1 : 0;
  const scores = new Map(exhaustive.map(({ id, score }) => [id, score]));
  const least = (best.at(-1)?.score ?? 0) * (1 - 1e-9);
  const good = new Set(found.slice(0, 10).filter((id) => (scores.get(id) ?? 0) >= least));
  return good.size / best.length;
}
