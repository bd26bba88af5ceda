import type { Asked } from './ask-in-rounds.js';
import { MEILISEARCH } from './meilisearch.js';
import { FILTERS, OTHER_FILTERS } from './questions.js';
import { type Summary, summarize } from './summarize.js';
import type { Throughput } from './throughput.js';

export const SEARCH = 'search';
export const TRPC_SEARCH = 'search through tRPC';
export const AS_TYPED = 'the same, `typos: false`';
/** With a filter that leaves so many chunks. */
export const filtered = (share: string) => `${TRPC_SEARCH}, filter ${share}`;
export const SUGGESTIONS = 'suggestions';
export const CONVERSATION = 'GET of a conversation';
export const TSVECTOR = 'tsvector with GIN index';

/** One target's answers to one kind of question. */
export interface Line extends Summary {
  target: string;
  kind: string;
  /** Of its p50 to that of a conversation's GET from the same server. */
  ratio: number;
  /**
   * Of the Meilisearch engine's p50 to those of the plain query and a document's GET together; of the p50 of the search
   * through tRPC to that without corrections, and of one with a filter to that without.
   */
  ratioToPlain?: number;
}

export interface Measurement {
  isVacuumed: boolean;
  /** By name: how long the requests take that others are compared with. */
  gets: Record<string, Summary>;
  lines: Line[];
  throughput: Throughput[];
}

const GETS = [CONVERSATION, MEILISEARCH.conversation, MEILISEARCH.document];
const FILTERED = [...FILTERS, ...OTHER_FILTERS].map(({ name }) => filtered(name));
const SEARCHES = [
  SEARCH,
  TRPC_SEARCH,
  AS_TYPED,
  ...FILTERED,
  SUGGESTIONS,
  TSVECTOR,
  MEILISEARCH.search,
  MEILISEARCH.plain,
];

export function toMeasurement(
  asked: Asked[],
  rest: Pick<Measurement, 'isVacuumed' | 'throughput'>,
): Measurement {
  const summaryOf = (name: string, kind?: string) =>
    summarize(asked.filter((one) => one.target === name && (kind === undefined || one.kind === kind)));
  const isThere = (name: string) => asked.some(({ target }) => target === name);
  const gets = Object.fromEntries(GETS.filter(isThere).map((name) => [name, summaryOf(name)]));
  const toLine = (target: string, kind: string): Line => {
    const summary = summaryOf(target, kind);
    const isOther = target === MEILISEARCH.search || target === MEILISEARCH.plain;
    const get = gets[isOther ? MEILISEARCH.conversation : CONVERSATION];
    const line = { target, kind, ratio: summary.p50 / (get?.p50 ?? Number.NaN), ...summary };
    if (target === TRPC_SEARCH) return { ...line, ratioToPlain: summary.p50 / summaryOf(AS_TYPED, kind).p50 };
    if (FILTERED.includes(target))
      return { ...line, ratioToPlain: summary.p50 / summaryOf(TRPC_SEARCH, kind).p50 };
    if (target !== MEILISEARCH.search) return line;
    const plain = summaryOf(MEILISEARCH.plain, kind).p50 + (gets[MEILISEARCH.document]?.p50 ?? Number.NaN);
    return { ...line, ratioToPlain: summary.p50 / plain };
  };
  const lines = SEARCHES.flatMap((name) => {
    const kinds = new Set(asked.flatMap(({ target, kind }) => (target === name ? [kind] : [])));
    return [...kinds].map((kind) => toLine(name, kind));
  });
  return { ...rest, gets, lines };
}
