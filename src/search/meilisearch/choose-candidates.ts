import { isUnspaced } from '../ranking/analyze.js';
import { encodeTerm } from './index-document.js';

export interface WeightedTerm {
  term: string;
  weight: number;
  /** How many chunks hold it. */
  frequency: number;
}

export interface CandidateGroups {
  groups: string[][];
  others?: string[];
}

/** Chunks that hold one of the terms or, if there are partners, one of these besides. */
interface Clause {
  terms: string[];
  partners: string[];
}

interface Choice {
  first: number;
  /** Undefined: chunks that hold the first term count, whatever else they hold. */
  second?: number;
  weight: number;
  /** How many chunks that is, were terms independent of each other. */
  expected: number;
}

/** So many chunks are expected in the first groups together. The server limits how many there are. */
const GROUP_SIZES = [40, 200];

/**
 * Sorts the chunks that match a query into groups, the best first, by the two terms with the most weight that each
 * holds: of the best ten by all terms, nearly all are among the best 200 by two.
 *
 * @param options.size how many chunks there are
 * @param options.wanted how many are to be found
 * @param options.count how many can be ranked
 * @returns for each group filters of which one has to hold, and one for all the others, if there are any; undefined where
 *   that sorts too coarsely: the best groups with as many as are to be found have more than can be ranked
 */
export function chooseCandidates(
  given: WeightedTerm[],
  { size, wanted, count }: { size: number; wanted: number; count: number },
): CandidateGroups | undefined {
  const terms = [...given].sort((a, b) => b.weight - a.weight);
  const choices = listChoices(terms, size);
  if (!singlesOut(choices, { wanted, count })) return undefined;
  const groups: string[][] = [];
  let expected = 0;
  let next = 0;
  for (const groupSize of GROUP_SIZES) {
    const first = next;
    for (; next < choices.length; next++) {
      const more = (choices[next] as Choice).expected;
      if (expected > 0 && expected + more > groupSize) break;
      expected += more;
    }
    if (next > first) groups.push(toFilters(terms, choices.slice(first, next)));
  }
  if (next === choices.length) return { groups };
  const all = { terms: terms.map(({ term }) => term), partners: [] };
  return { groups, others: [toFilter(all)] };
}

function singlesOut(choices: Choice[], { wanted, count }: { wanted: number; count: number }): boolean {
  let expected = 0;
  for (const choice of choices) {
    expected += choice.expected;
    if (expected >= wanted) return expected <= count;
  }
  return true;
}

/** Single terms and pairs, by weight. */
function listChoices(terms: WeightedTerm[], size: number): Choice[] {
  const choices: Choice[] = [];
  for (const [first, { term, weight, frequency }] of terms.entries()) {
    choices.push({ first, weight, expected: frequency });
    for (let second = first + 1; second < terms.length; second++) {
      const other = terms[second] as WeightedTerm;
      if (isPartOf(other.term, term)) continue;
      const expected = (frequency * other.frequency) / Math.max(1, size);
      choices.push({ first, second, weight: weight + other.weight, expected });
    }
  }
  return choices.sort((a, b) => b.weight - a.weight);
}

/** Whether a term is one of the characters of a pair: whoever holds the pair holds it anyway. */
const isPartOf = (part: string, whole: string): boolean => isUnspaced(part) && whole.includes(part);

function toFilters(terms: WeightedTerm[], choices: Choice[]): string[] {
  const termAt = (place: number) => (terms[place] as WeightedTerm).term;
  const singles = new Set(choices.filter(({ second }) => second === undefined).map(({ first }) => first));
  const partners = new Map<number, string[]>();
  for (const { first, second } of choices) {
    if (second === undefined || singles.has(first)) continue;
    partners.set(first, [...(partners.get(first) ?? []), termAt(second)]);
  }
  const clauses: Clause[] = [...partners].map(([first, others]) => ({
    terms: [termAt(first)],
    partners: others,
  }));
  if (singles.size > 0) clauses.unshift({ terms: [...singles].map(termAt), partners: [] });
  return clauses.map(toFilter);
}

/** Few conditions with many values: the server takes ten times as long to parse a condition as a value. */
const toFilter = ({ terms, partners }: Clause): string =>
  [terms, partners]
    .filter(({ length }) => length > 0)
    .map((one) => `terms IN [${one.map((term) => `"${encodeTerm(term)}"`)}]`)
    .join(' AND ');
