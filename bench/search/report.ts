import type { Measurement } from './measurement.js';
import type { ChunkBytes } from './postings.js';

export interface Report {
  chunks: number;
  neighbours: number;
  requests: number;
  /** To make the chunks, to merge them into segments, to fill the indexes of rivals. */
  seconds: { corpus: number; merge: number; tsvector?: number; meilisearch?: number };
  bytesPerChunk: ChunkBytes;
  measurements: Measurement[];
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
    ['answered by', 'question', 'hits', 'p50 ms', 'p95 ms', '/ GET', '/ plain', 'by PostgreSQL'],
    ...Object.entries(gets).map(([name, { p50, p95 }]) => [
      name,
      '',
      '',
      p50.toFixed(1),
      p95.toFixed(1),
      '',
      '',
      '',
    ]),
    ...lines.map((line) => [
      line.target,
      line.kind,
      line.hits.toFixed(1),
      line.p50.toFixed(1),
      line.timeouts > 0 ? `${line.p95.toFixed(1)} (${line.timeouts} timeouts)` : line.p95.toFixed(1),
      line.ratio.toFixed(2),
      line.ratioToPlain?.toFixed(2) ?? '',
      line.byPostgres > 0 ? `${((100 * line.byPostgres) / line.requests).toFixed(0)} %` : '',
    ]),
  ];
  const [one, several] = throughput;
  const perSecond = throughput
    .map(({ callers, requestsPerSecond }) => `${callers} callers ${requestsPerSecond.toFixed(1)}/s`)
    .join(', ');
  const ratio = several && one ? several.requestsPerSecond / one.requestsPerSecond : Number.NaN;
  const title = isVacuumed ? '\nAfter vacuum analyze:\n' : '';
  const mixed = one ? `\nMixed: ${perSecond}, ratio ${ratio.toFixed(2)}\n` : '';
  return `${title}\n${toTable(rows)}${mixed}`;
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
