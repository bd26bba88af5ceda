/** One of the ways to say something, as places of terms and pairs in a query. */
export interface Option {
  terms: number[];
  pairs: number[];
  /** Where it counts; undefined: everywhere. */
  within?: Place[] | undefined;
}

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
 * Adds up values of terms and pairs: of all that are in no choice, and of each choice what its best option has.
 *
 * @returns a function of the values of a chunk and where it is; undefined is everywhere
 */
export function createAdder({ terms, pairs }: Values, choices: Option[][]) {
  const options = choices.flat();
  const without = (all: number[], chosen: number[]) =>
    [...all.keys()].filter((place) => !chosen.includes(place));
  const rest: Option = {
    terms: without(
      terms,
      options.flatMap((one) => one.terms),
    ),
    pairs: without(
      pairs,
      options.flatMap((one) => one.pairs),
    ),
  };
  return (values: Values, places?: Place[]): number => {
    let total = sumOf(rest, values);
    for (const all of choices) {
      const counting = all.filter(({ within }) => !within || !places || overlap(within, places));
      total += Math.max(...counting.map((one) => sumOf(one, values)));
    }
    return total;
  };
}

function sumOf({ terms, pairs }: Option, values: Values): number {
  let sum = 0;
  for (const place of terms) sum += values.terms[place] ?? 0;
  for (const place of pairs) sum += values.pairs[place] ?? 0;
  return sum;
}

const overlap = (some: Place[], others: Place[]): boolean =>
  some.some((one) =>
    others.some((other) => one.tenantUnitId === other.tenantUnitId && one.datasetId === other.datasetId),
  );
