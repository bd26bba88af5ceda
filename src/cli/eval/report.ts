import type { Measures } from '../../services/evaluations/measures.js';
import { formatTable } from '../shared/format.js';
import type { Tenth } from './precision.js';

export interface Result {
  collection: string;
  engine: string;
  mode: string;
  typos: number;
  typed: number;
  language: string;
  documents: number;
  queries: number;
  measures: Measures;
  precision: Tenth[];
  milliseconds: { p50: number; p95: number };
}

const COLUMNS: [head: string, cell: (result: Result) => string][] = [
  ['collection', ({ collection }) => collection],
  ['engine', ({ engine }) => engine],
  ['mode', ({ mode }) => mode],
  ['language', ({ language }) => language],
  ['typos', ({ typos }) => String(typos)],
  ['typed', ({ typed }) => `${typed} %`],
  ['documents', ({ documents }) => String(documents)],
  ['queries', ({ queries }) => String(queries)],
  ['recall@5', ({ measures }) => measures.recallAt5.toFixed(4)],
  ['recall@10', ({ measures }) => measures.recallAt10.toFixed(4)],
  ['nDCG@10', ({ measures }) => measures.ndcgAt10.toFixed(4)],
  ['MRR@10', ({ measures }) => measures.mrrAt10.toFixed(4)],
  ['p50 ms', ({ milliseconds }) => milliseconds.p50.toFixed(1)],
  ['p95 ms', ({ milliseconds }) => milliseconds.p95.toFixed(1)],
];
const LEFT_ALIGNED = 4;

/** A line for each result, in columns. */
export function table(results: Result[]): string {
  const columns = COLUMNS.map(([head, cell], i) => {
    const cells = [head, ...results.map(cell)];
    const width = Math.max(...cells.map(({ length }) => length));
    return cells.map((text) => (i < LEFT_ALIGNED ? text.padEnd(width) : text.padStart(width)));
  });
  const lines = [undefined, ...results].map((_, row) => columns.map((cells) => cells[row]).join('  '));
  return `${lines.join('\n')}\n`;
}

/** A column for each tenth of the scores: relevant documents of all that have such a score. */
export function precisionTable(results: Result[]): string {
  const tenths = results[0]?.precision ?? [];
  return formatTable(
    ['collection', 'mode', 'typos', 'typed', ...tenths.map(({ from }) => `from ${from.toFixed(1)}`)],
    results.map(({ collection, mode, typos, typed, precision }) => [
      collection,
      mode,
      String(typos),
      `${typed} %`,
      ...precision.map(({ hits, relevant }) => (hits > 0 ? `${relevant}/${hits}` : '–')),
    ]),
  );
}
