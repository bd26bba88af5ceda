import { termOf } from '../ranking/analyze.js';
import type { QueryTerms } from '../ranking/bm25.js';
import type { MistypedWord } from './find-alternatives.js';

/** A query with what its mistyped words may mean. Its first terms are those of the query. */
export function withAlternatives(
  query: QueryTerms,
  mistyped: MistypedWord[],
  frequencies: number[],
): QueryTerms {
  const expanded = {
    ...query,
    terms: [...query.terms],
    counts: [...query.counts],
    pairs: [...query.pairs],
    pairCounts: [...query.pairCounts],
    shares: query.terms.map((_, place) => query.shares?.[place] ?? 1),
  };
  for (const { term, alternatives } of mistyped) {
    const place = query.terms.indexOf(term);
    if (frequencies[place] === 0) expanded.shares[place] = 0;
    for (const { words, share } of alternatives) {
      const places = words.map((word) => addTerm(termOf(word), query.counts[place] ?? 1, share));
      for (const [i, [a, b]] of query.pairs.entries()) {
        if (a === place) addPair(places.at(-1) as number, b, query.pairCounts[i] ?? 1);
        if (b === place) addPair(a, places[0] as number, query.pairCounts[i] ?? 1);
      }
      if (places.length === 2) addPair(places[0] as number, places[1] as number, 1);
    }
  }
  return expanded;

  function addTerm(term: string, count: number, share: number): number {
    const known = expanded.terms.indexOf(term);
    if (known >= 0) return known;
    expanded.counts.push(count);
    expanded.shares.push(share);
    return expanded.terms.push(term) - 1;
  }

  function addPair(a: number, b: number, count: number): void {
    expanded.pairs.push([a, b]);
    expanded.pairCounts.push(count);
  }
}
