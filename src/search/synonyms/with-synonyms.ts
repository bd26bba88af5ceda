import type { ChunkQuery } from '../chunk-index.js';
import type { QueryTerms } from '../ranking/bm25.js';
import type { Option } from '../ranking/choices.js';
import { parseQuery } from '../ranking/query-terms.js';
import type { FoundSynonym } from './find-synonyms.js';
import { termsOfUnits } from './phrase.js';

/** What a synonym counts, of what the question's own words do. */
const SHARE = 0.8;
/** Terms that the synonyms of a question add. */
export const MAX_ADDED = 64;

/** A query with the synonyms of its phrases as choices. Its first terms are those of the query. */
export function withSynonyms(
  query: QueryTerms,
  found: FoundSynonym[],
  language: ChunkQuery['language'],
): { terms: QueryTerms; used: FoundSynonym[] } {
  const expanded = {
    terms: [...query.terms],
    counts: [...query.counts],
    pairs: [...query.pairs],
    pairCounts: [...query.pairCounts],
    choices: [] as Option[][],
  };
  const size = query.terms.length;
  const taken = new Set<number>();
  const takenPairs = new Set<number>();
  const used = found.filter(addChoice);
  return { terms: used.length > 0 ? expanded : query, used };

  /** @returns false for a phrase of stop words alone, or one that adds nothing */
  function addChoice({ units, alternatives }: FoundSynonym): boolean {
    const own = termsOfUnits(units)
      .map((term) => query.terms.indexOf(term))
      .filter((place) => place >= 0 && !taken.has(place));
    if (own.length === 0) return false;
    const pairs = [...query.pairs.keys()].filter(
      (i) => !takenPairs.has(i) && query.pairs[i]?.some((place) => own.includes(place)),
    );
    const options = alternatives.flatMap(({ text, within }) => {
      const one = addOption(text, own, pairs);
      return one ? [{ ...one, within }] : [];
    });
    if (options.length === 0) return false;
    for (const place of own) taken.add(place);
    for (const pair of pairs) takenPairs.add(pair);
    expanded.choices.push([{ terms: own, pairs }, ...options]);
    return true;
  }

  /** @param pairs those of the phrase, and those that it has with its neighbours in the question */
  function addOption(text: string, own: number[], pairs: number[]): Option | undefined {
    const parsed = parseQuery({ text, language });
    const added = parsed.terms.filter((term) => !expanded.terms.includes(term)).length;
    if (expanded.terms.length - size + added > MAX_ADDED) return undefined;
    const places = parsed.terms.map((term) => addTerm(term, query.counts[own[0] as number] ?? 1));
    // What the question has elsewhere counts there.
    const terms = places.filter((place) => place >= size || own.includes(place));
    if (terms.length === 0) return undefined;
    const [first, last] = [places[0] as number, places.at(-1) as number];
    const inner = parsed.pairs.map(([a, b]) => addPair(places[a] as number, places[b] as number, 1));
    const outer = pairs.flatMap((i) => {
      const [a, b] = query.pairs[i] as [number, number];
      if (own.includes(a) === own.includes(b)) return [];
      const count = query.pairCounts[i] ?? 1;
      return [own.includes(a) ? addPair(last, b, count) : addPair(a, first, count)];
    });
    return { terms, pairs: [...new Set([...inner, ...outer])], share: SHARE };
  }

  function addTerm(term: string, count: number): number {
    const known = expanded.terms.indexOf(term);
    if (known >= 0) return known;
    expanded.counts.push(count);
    return expanded.terms.push(term) - 1;
  }

  function addPair(a: number, b: number, count: number): number {
    const known = expanded.pairs.findIndex(([c, d]) => a === c && b === d);
    if (known >= 0) return known;
    expanded.pairCounts.push(count);
    return expanded.pairs.push([a, b]) - 1;
  }
}
