import { type Asked, type Summary, summarize } from './measure.js';
import { MEILISEARCH } from './meilisearch.js';
import type { ChunkBytes } from './postings.js';
import type { Throughput } from './throughput.js';

export const SEARCH = 'search';
export const CONVERSATION = 'GET of a conversation';
export const TSVECTOR = 'tsvector with GIN index';

/** One contestant's answers to one kind of question. */
export interface Line extends Summary {
  contestant: string;
  kind: string;
  /** Of its p50 to that of a conversation's GET from the same server. */
  ratio: number;
  /** Of the engine's p50 to those of the plain query and a document's GET together; of the Meilisearch engine only. */
  ratioToPlain?: number;
}

export interface Measurement {
  isVacuumed: boolean;
  /** By name: how long the requests take that others are compared with. */
  gets: Record<string, Summary>;
  lines: Line[];
  throughput: Throughput[];
}

export interface Report {
  chunks: number;
  neighbours: number;
  requests: number;
  /** To make the chunks, to merge them into segments, to fill the indexes of rivals. */
  seconds: { corpus: number; merge: number; tsvector?: number; meilisearch?: number };
  bytesPerChunk: ChunkBytes;
  measurements: Measurement[];
}

const GETS = [CONVERSATION, MEILISEARCH.conversation, MEILISEARCH.document];
const SEARCHES = [SEARCH, TSVECTOR, MEILISEARCH.search, MEILISEARCH.plain];

export function toMeasurement(
  asked: Asked[],
  rest: Pick<Measurement, 'isVacuumed' | 'throughput'>,
): Measurement {
  const summaryOf = (name: string, kind?: string) =>
    summarize(asked.filter((one) => one.contestant === name && (kind === undefined || one.kind === kind)));
  const isThere = (name: string) => asked.some(({ contestant }) => contestant === name);
  const gets = Object.fromEntries(GETS.filter(isThere).map((name) => [name, summaryOf(name)]));
  const toLine = (contestant: string, kind: string): Line => {
    const summary = summaryOf(contestant, kind);
    const isOther = contestant === MEILISEARCH.search || contestant === MEILISEARCH.plain;
    const get = gets[isOther ? MEILISEARCH.conversation : CONVERSATION];
    const line = { contestant, kind, ratio: summary.p50 / (get?.p50 ?? Number.NaN), ...summary };
    if (contestant !== MEILISEARCH.search) return line;
    const plain = summaryOf(MEILISEARCH.plain, kind).p50 + (gets[MEILISEARCH.document]?.p50 ?? Number.NaN);
    return { ...line, ratioToPlain: summary.p50 / plain };
  };
  const lines = SEARCHES.flatMap((name) => {
    const kinds = new Set(asked.flatMap(({ contestant, kind }) => (contestant === name ? [kind] : [])));
    return [...kinds].map((kind) => toLine(name, kind));
  });
  return { ...rest, gets, lines };
}

/** The report as Markdown. */
export function describe(report: Report): string {
  const { chunks, neighbours, requests, seconds, bytesPerChunk, measurements } = report;
  const built = [
    `made in ${seconds.corpus.toFixed(0)} s`,
    `merged into segments in ${seconds.merge.toFixed(1)} s`,
    seconds.tsvector !== undefined && `tsvector table in ${seconds.tsvector.toFixed(0)} s`,
    seconds.meilisearch !== undefined && `Meilisearch index in ${seconds.meilisearch.toFixed(0)} s`,
  ].filter(Boolean);
  const bytes = `Bytes per chunk: terms and postings ${bytesPerChunk.search.toFixed(0)}, chunks ${bytesPerChunk.chunks.toFixed(0)}`;
  const head = `${chunks} chunks and ${neighbours} small tenants, ${requests} requests of each kind\n${built.join(', ')}\n${bytes}\n`;
  return `${head}${measurements.map(describeMeasurement).join('')}`;
}

function describeMeasurement({ isVacuumed, gets, lines, throughput }: Measurement): string {
  const rows = [
    ['answered by', 'question', 'hits', 'p50 ms', 'p95 ms', '/ GET', '/ plain'],
    ...Object.entries(gets).map(([name, { p50, p95 }]) => [
      name,
      '',
      '',
      p50.toFixed(1),
      p95.toFixed(1),
      '',
      '',
    ]),
    ...lines.map((line) => [
      line.contestant,
      line.kind,
      line.hits.toFixed(1),
      line.p50.toFixed(1),
      line.timeouts > 0 ? `${line.p95.toFixed(1)} (${line.timeouts} timeouts)` : line.p95.toFixed(1),
      line.ratio.toFixed(2),
      line.ratioToPlain?.toFixed(2) ?? '',
    ]),
  ];
  const [one, several] = throughput;
  const perSecond = throughput
    .map(({ callers, requestsPerSecond }) => `${callers} callers ${requestsPerSecond.toFixed(1)}/s`)
    .join(', ');
  const ratio = several && one ? several.requestsPerSecond / one.requestsPerSecond : Number.NaN;
  const title = isVacuumed ? '\nAfter vacuum analyze:\n' : '';
  return `${title}\n${toTable(rows)}\nMixed: ${perSecond}, ratio ${ratio.toFixed(2)}\n`;
}

const LEFT_ALIGNED = 2;

function toTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  const [head = '', ...body] = rows.map((row) =>
    line(
      row.map((cell, i) => (i < LEFT_ALIGNED ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))),
    ),
  );
  const rule = widths.map((width, i) => (i < LEFT_ALIGNED ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return `${head}${line(rule)}${body.join('')}`;
}
