import type { Filter } from '../../src/search/filter/filter.js';
import { CHUNKS_OF_A_DOCUMENT, DATASETS, HAN, UNITS, WORDS } from '../support/corpus.js';
import type { Random } from '../support/random.js';
import { spell } from '../support/words.js';

export interface Question {
  text: string;
  language: 'english' | 'chinese';
  unit: string;
  datasets: string[];
}

/** A filter that leaves a share of the chunks, drawn anew for each request. */
export interface FilterKind {
  name: string;
  /** Whether documents or chunks that pass are not found by index. */
  isWithoutIndex?: boolean;
  draw: (random: Random, of: Filtered) => Filter;
}

export interface QuestionKind {
  name: string;
  draw: (random: Random) => Question;
}

/** Datasets in which chunks have changed when `CHANGED` is asked. */
export const CHANGED_DATASETS = DATASETS.slice(0, 2);
const CHINESE_PAIRS = 40;

const words = (random: Random, ranks: [least: number, most: number][]) =>
  ranks.map(([least, most]) => spell(random.between(least, most))).join(' ');
const zipf = (random: Random, count: number) => Math.floor(count ** random.next());
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const rare = (random: Random) =>
  words(
    random,
    times(3, () => [5_000, 200_000]),
  );
const mixed = (random: Random) =>
  words(random, [
    [10, 100],
    [100, 1_000],
    [1_000, 10_000],
    [5_000, 50_000],
    [20, 200],
  ]);
/** One with two letters of a word swapped: no chunk has it. */
const mistyped = (random: Random) => {
  const asked = mixed(random).split(' ');
  const place = random.between(2, 3);
  return asked.map((word, i) => (i === place ? word.replace(/^(..)(.)(.)/, '$1$3$2') : word)).join(' ');
};
const common = (random: Random) =>
  words(
    random,
    times(3, () => [1, 100]),
  );
const long = (random: Random) => times(25, () => spell(zipf(random, WORDS))).join(' ');
const chinese = (random: Random) =>
  times(CHINESE_PAIRS + 1, () => HAN[zipf(random, HAN.length) - 1] as string).join('');

const twoDatasets = (random: Random) => {
  const first = random.below(DATASETS.length);
  const second = (first + random.between(1, DATASETS.length - 1)) % DATASETS.length;
  return [DATASETS[first] as string, DATASETS[second] as string];
};

const kind = (
  name: string,
  text: (random: Random) => string,
  place: Partial<Question> & { datasetsOf?: (random: Random) => string[] } = {},
): QuestionKind => {
  const { datasetsOf = twoDatasets, ...fixed } = place;
  return {
    name,
    draw: (random) => ({
      text: text(random),
      language: 'english',
      unit: UNITS.main,
      datasets: datasetsOf(random),
      ...fixed,
    }),
  };
};

/** The question that is asked by several callers, too. */
export const MIXED = kind('mixed', mixed);

/** Drawn anew for each request. In two of ten datasets where nothing else is said. */
export const QUESTION_KINDS: QuestionKind[] = [
  kind('rare: 3 words', rare),
  MIXED,
  kind('mixed, one word mistyped', mistyped),
  kind('common: 3 words', common),
  kind('25 words', long),
  kind('Chinese, 40 pairs', chinese, { language: 'chinese' }),
  kind('mixed, all datasets', mixed, { datasets: DATASETS }),
  kind('mixed, one dataset', mixed, { datasetsOf: (random) => [random.oneOf(DATASETS)] }),
  kind('mixed, unit with 1 %', mixed, { unit: UNITS.small, datasets: DATASETS }),
];

const hasOne = (name: string, value: number[]): Filter => ({
  type: 'in',
  key: `customProperties.${name}`,
  value,
});
const compare = (type: 'gt' | 'gte' | 'lt', key: string, value: number | string): Filter => ({
  type,
  key,
  value,
});
const between = (key: string, first: number, count: number): Filter => ({
  type: 'and',
  filters: [compare('gte', key, first), compare('lt', key, first + count)],
});
const documentsOf = ({ chunks }: Filtered) => chunks / CHUNKS_OF_A_DOCUMENT;

/** The questions that are asked with filters of other kinds. */
export const FILTERED_KINDS = QUESTION_KINDS.filter(
  ({ name }) => name === MIXED.name || name === 'mixed, all datasets',
);

/** How many chunks of the large tenant a custom property leaves. */
export const FILTERS: FilterKind[] = [
  { name: '50 %', draw: (random) => hasOne('half', [random.below(2)]) },
  { name: '1 %', draw: (random) => hasOne('hundredth', [random.below(100)]) },
  {
    name: '.01 %',
    draw: (random, { chunks, datasets }) => {
      const documents = Math.floor(chunks / CHUNKS_OF_A_DOCUMENT / DATASETS.length);
      const numberIn = (dataset: string) =>
        DATASETS.length * random.below(documents) + DATASETS.indexOf(dataset);
      const wanted = Math.max(1, Math.round(chunks / 10_000 / CHUNKS_OF_A_DOCUMENT));
      return hasOne(
        'number',
        times(wanted, () => numberIn(datasets[random.below(datasets.length)] as string)),
      );
    },
  },
];

/** Other kinds of filters, and what they leave. */
export const OTHER_FILTERS: FilterKind[] = [
  { name: '`lt`, 50 %', draw: () => compare('lt', 'hundredth', 50) },
  { name: '`lt`, 1 %', draw: () => compare('lt', 'hundredth', 1) },
  { name: '`gte`, .1 %', draw: (_, of) => compare('gte', 'number', 0.999 * documentsOf(of)) },
  {
    name: '`gte` and `lt`, .1 %',
    draw: (random, of) => between('number', random.below(0.9 * documentsOf(of)), documentsOf(of) / 1_000),
  },
  {
    name: '`not` with `gt`, .1 %',
    isWithoutIndex: true,
    draw: (_, of) => ({ type: 'not', filter: compare('gt', 'number', documentsOf(of) / 1_000) }),
  },
  {
    name: '`document.createdTime` `gte`, all',
    draw: () => compare('gte', 'document.createdTime', '2000-01-01T00:00:00Z'),
  },
  {
    name: '`document.name` `gte` and `lt`, 1 %',
    draw: () => ({
      type: 'and',
      filters: [
        compare('gte', 'document.name', 'Document 77'),
        compare('lt', 'document.name', 'Document 78'),
      ],
    }),
  },
  {
    name: '`document.name` `contains`, few',
    isWithoutIndex: true,
    draw: () => ({ type: 'contains', key: 'document.name', value: '777' }),
  },
  {
    name: '`metadata` `eq`, 50 %',
    draw: (random) => ({ type: 'eq', key: 'metadata.half', value: random.below(2) }),
  },
  {
    name: '`metadata` `eq`, 1 %',
    draw: (random) => ({ type: 'eq', key: 'metadata.hundredth', value: random.below(100) }),
  },
  {
    name: '`metadata` `gte` and `lt`, .01 %',
    draw: (random, { chunks }) => between('metadata.number', random.below(0.9 * chunks), chunks / 10_000),
  },
  { name: '`metadata` `eq`, none', draw: () => ({ type: 'eq', key: 'metadata.number', value: -1 }) },
  {
    name: '`metadata` `eq`, 1 %, and `eq`, 50 %',
    draw: (random) => ({
      type: 'and',
      filters: [
        { type: 'eq', key: 'metadata.hundredth', value: random.below(100) },
        hasOne('half', [random.below(2)]),
      ],
    }),
  },
];

interface Filtered {
  chunks: number;
  datasets: string[];
}

export const CHANGED = kind('mixed, 2,000 changed', mixed, { datasets: CHANGED_DATASETS });
