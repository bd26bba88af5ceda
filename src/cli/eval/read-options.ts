import { ConfigError } from '../../config/config.js';
import { type SearchMode, searchModes } from '../../search/chunk-index.js';
import { type Given, UsageError } from '../run-command.js';
import { formatChoices } from '../shared/format.js';
import type { Engine } from './start-server.js';

export interface EvalOptions {
  engine: Engine;
  collections: string[];
  language: 'english' | 'chinese' | undefined;
  /** One after the other, over the same documents. */
  modes: SearchMode[];
  /** In how many words of each query an error is typed: one after the other, too. */
  typos: number[];
  /** How many percent of each query are typed: one after the other, too. */
  typed: number[];
  runs: string | undefined;
  /** Whether the table has precision by score. */
  precision: boolean;
  json: boolean;
}

export const EVAL_OPTIONS = {
  engine: { type: 'string' },
  collection: { type: 'string', multiple: true },
  language: { type: 'string' },
  mode: { type: 'string', multiple: true },
  typos: { type: 'string', multiple: true },
  typed: { type: 'string', multiple: true },
  runs: { type: 'string' },
  precision: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const MAX_TYPOS = 10;

type Values = Given<{ options: typeof EVAL_OPTIONS }>['values'];

/**
 * @throws UsageError for options that are missing or unknown values
 * @throws ConfigError where Meilisearch is to be measured and MEILI_URL is not set
 */
export function readEvalOptions(values: Values): EvalOptions {
  const {
    engine,
    collection: collections = [],
    language,
    mode = ['lexical'],
    typos: givenTypos = ['0'],
    typed: givenTyped = ['100'],
    runs,
    precision = false,
    json = false,
  } = values;
  if (engine !== 'postgres' && engine !== 'meilisearch') {
    throw new UsageError('Say which search engine: --engine postgres or --engine meilisearch.');
  }
  if (collections.length === 0) throw new UsageError('Name a collection with --collection.');
  if (language !== undefined && language !== 'english' && language !== 'chinese') {
    throw new UsageError('The language is english or chinese.');
  }
  if (engine === 'meilisearch' && !process.env.MEILI_URL) {
    throw new ConfigError(
      'Set MEILI_URL to the address of a Meilisearch server that may hold the test index.',
    );
  }
  const modes = searchModes.filter((one) => mode.includes(one));
  if (modes.length !== new Set(mode).size) throw new UsageError(`The mode is ${formatChoices(searchModes)}.`);
  if (modes.some((one) => one !== 'lexical') && !process.env.EMBEDDING_MODEL) {
    throw new ConfigError('Set EMBEDDING_URL and EMBEDDING_MODEL to what embeds texts.');
  }
  const typos = [...new Set(givenTypos)].map(Number);
  if (typos.some((count) => !Number.isInteger(count) || count < 0 || count > MAX_TYPOS))
    throw new UsageError(`--typos is a number from 0 to ${MAX_TYPOS}.`);
  const typed = [...new Set(givenTyped)].map(Number);
  if (typed.some((percent) => !Number.isInteger(percent) || percent < 1 || percent > 100))
    throw new UsageError('--typed is a percentage from 1 to 100.');
  return { engine, collections, language, modes, typos, typed, runs, precision, json };
}
