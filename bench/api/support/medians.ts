import { quantile } from '../../../src/cli/eval/quantile.js';
import type { Comparison } from '../question.js';

/** Of what was measured in the same rounds; the ratio is the median of the rounds' ratios. */
export const medians = (ours: number[], theirs: number[]): Pick<Comparison, 'ours' | 'theirs' | 'ratio'> => ({
  ours: quantile(ours, 0.5),
  theirs: quantile(theirs, 0.5),
  ratio: quantile(
    ours.map((one, round) => one / (theirs[round] ?? Number.NaN)),
    0.5,
  ),
});
