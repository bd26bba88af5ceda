import { CHUNKS_OF_A_DOCUMENT, DATASETS, HAN, UNITS, WORDS } from '../support/corpus.js';
import type { Random } from '../support/random.js';
import { spell } from '../support/words.js';

export interface Question {
  text: string;
  language: 'english' | 'chinese';
  unit: string;
  datasets: string[];
}

/** The values of a custom property with which documents pass. */
export interface PropertyFilter {
  name: string;
  values: number[];
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

/** How many chunks of the large tenant a filter leaves. */
export const FILTERS: { name: string; values: (random: Random, of: Filtered) => PropertyFilter }[] = [
  { name: '50 %', values: (random) => ({ name: 'half', values: [random.below(2)] }) },
  { name: '1 %', values: (random) => ({ name: 'hundredth', values: [random.below(100)] }) },
  {
    name: '.01 %',
    values: (random, { chunks, datasets }) => {
      const documents = Math.floor(chunks / CHUNKS_OF_A_DOCUMENT / DATASETS.length);
      const numberIn = (dataset: string) =>
        DATASETS.length * random.below(documents) + DATASETS.indexOf(dataset);
      const wanted = Math.max(1, Math.round(chunks / 10_000 / CHUNKS_OF_A_DOCUMENT));
      return {
        name: 'number',
        values: times(wanted, () => numberIn(datasets[random.below(datasets.length)] as string)),
      };
    },
  },
];

interface Filtered {
  chunks: number;
  datasets: string[];
}

export const CHANGED = kind('mixed, 2,000 changed', mixed, { datasets: CHANGED_DATASETS });
