/** One of the ways to say something, as places of terms and pairs in a query. */
export interface Option {
  terms: number[];
  pairs: number[];
  /** What it is worth, of what the first option of its choice is; all of that by default. */
  share?: number;
  /** Where it counts; undefined: everywhere. */
  within?: Reach | undefined;
}

/** Datasets by unit, null for all of a unit. */
export type Reach = ReadonlyMap<string, ReadonlySet<string> | null>;

/** A dataset of a tenant's unit. */
export interface Place {
  tenantUnitId: string;
  datasetId: string;
}

/** Values of the terms and the pairs of a query, aligned with them. */
interface Values {
  terms: number[];
  pairs: number[];
}

/**
 * Adds up values of terms and pairs: of all that are in no choice, and of each choice what its best option has. A rare
 * synonym counts no more than the share of what the words of the question do, if chunks have all of these.
 *
 * @param weights what a perfect match has
 * @returns a function of the values of a chunk and where it is; undefined is everywhere
 */
export function createAdder(weights: Values, choices: Option[][]) {
  const options = choices.flat();
  const scaled = choices.map((all) => scaleOptions(all, weights));
  const without = (all: number[], chosen: number[]) =>
    [...all.keys()].filter((place) => !chosen.includes(place));
  const rest: Option = {
    terms: without(
      weights.terms,
      options.flatMap((one) => one.terms),
    ),
    pairs: without(
      weights.pairs,
      options.flatMap((one) => one.pairs),
    ),
  };
  return (values: Values, places?: Place[]): number => {
    let total = sumOf(rest, values);
    for (const all of scaled) {
      let best = 0;
      for (const { option, factor } of all) {
        const isThere = !option.within || !places || reaches(option.within, places);
        if (isThere) best = Math.max(best, factor * sumOf(option, values));
      }
      total += best;
    }
    return total;
  };
}

function scaleOptions(options: Option[], weights: Values): { option: Option; factor: number }[] {
  const [own] = options;
  const isHeld = own?.terms.every((place) => (weights.terms[place] ?? 0) > 0);
  const most = own && isHeld ? sumOf(own, weights) : Number.POSITIVE_INFINITY;
  return options.map((option) => ({
    option,
    factor: (option.share ?? 1) * Math.min(1, most / sumOf(option, weights) || 0),
  }));
}

function sumOf({ terms, pairs }: Option, values: Values): number {
  let [fromTerms, fromPairs] = [0, 0];
  for (const place of terms) fromTerms += values.terms[place] ?? 0;
  for (const place of pairs) fromPairs += values.pairs[place] ?? 0;
  return fromTerms + fromPairs;
}

const reaches = (within: Reach, places: Place[]): boolean =>
  places.some(({ tenantUnitId, datasetId }) => {
    const datasets = within.get(tenantUnitId);
    return datasets === null || datasets?.has(datasetId);
  });
