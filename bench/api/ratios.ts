import { readFile, writeFile } from 'node:fs/promises';
import type { Comparison } from './question.js';

/** Beside the source, from where benchmarks run. */
const FILE = 'bench/api/ratios.json';
/** What repetitions differ by. */
const TOLERANCE = 0.1;

/** Ratios by question, thing and rival. */
type Ratios = Record<string, Record<string, number>>;

const nameOf = ({ what, rival }: Comparison) => `${what} / ${rival}`;

/** Records the ratios of the questions that were asked. */
export async function recordRatios(answers: Record<string, Comparison[]>): Promise<void> {
  const ratios = await readRatios();
  for (const [question, comparisons] of Object.entries(answers)) {
    const measured = comparisons.map((one) => [nameOf(one), Math.round(one.ratio * 100) / 100]);
    ratios[question] = Object.fromEntries(measured);
  }
  const sorted = Object.fromEntries(Object.entries(ratios).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** A line for each ratio that is worse than the recorded one by more than a tenth of the rival. */
export async function findWorse(answers: Record<string, Comparison[]>): Promise<string[]> {
  const ratios = await readRatios();
  return Object.entries(answers).flatMap(([question, comparisons]) =>
    comparisons.flatMap((one) => {
      const recorded = ratios[question]?.[nameOf(one)];
      if (recorded === undefined) return [];
      const isMoreBetter = one.target !== undefined && 'atLeast' in one.target;
      const loss = isMoreBetter ? recorded - one.ratio : one.ratio - recorded;
      return loss > TOLERANCE
        ? [`${question}: ${nameOf(one)} was ${recorded.toFixed(2)}, and is ${one.ratio.toFixed(2)}`]
        : [];
    }),
  );
}

const readRatios = async (): Promise<Ratios> => JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}'));
