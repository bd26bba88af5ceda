import { BUCKET_COUNT, bucketOf } from './histogram.js';

/** What is counted. */
export interface Counts {
  documentsReady: number;
  documentsFailed: number;
  /** Of documents that became ready. */
  chunks: number;
  searches: number;
  searchesFailed: number;
  /** Of searches that were answered, by the buckets of their latency. */
  searchLatencies: number[];
}

/** Documents whose processing has come to an end, and what is known of those that ended alike. */
export interface CountedDocuments {
  ready?: number;
  failed?: number;
  chunks?: number;
  /** What their files are, as `documentSubType` names it. */
  type?: string;
  /** Of the failure. */
  code?: string;
  /** How long one document was in each stage. */
  stageMs?: Record<string, number>;
}

/** What a process has counted for a tenant in a minute. */
export interface ActivityCell {
  tenantId: string;
  /** Its start, in milliseconds since 1970. */
  minute: number;
  counts: Counts;
}

interface Cell extends ActivityCell {
  /** Whether it has changed since it was last taken. */
  isChanged: boolean;
}

/** About 300 bytes each. */
const MAX_CELLS = 10_000;
const MINUTE_MS = 60_000;

export type Activity = ReturnType<typeof createActivity>;
export type CountDocuments = Activity['countDocuments'];

/**
 * Counts documents and searches: in total since the process started, and for each tenant and minute until that is stored.
 * Memory is bounded: while nothing can be stored the oldest minutes are forgotten.
 *
 * @param now in milliseconds since 1970
 */
export function createActivity({ now = Date.now, maxCells = MAX_CELLS } = {}) {
  const totals = noCounts();
  /** By minute, from the oldest, and tenant. */
  const minutes = new Map<number, Map<string, Cell>>();
  let size = 0;

  return {
    /** Since the process started. */
    totals: (): Readonly<Counts> => totals,

    countDocuments(tenantId: string, { ready = 0, failed = 0, chunks = 0 }: CountedDocuments): void {
      for (const counts of countsOf(tenantId)) {
        counts.documentsReady += ready;
        counts.documentsFailed += failed;
        counts.chunks += chunks;
      }
    },

    countSearch(tenantId: string, { ms, isFailed }: { ms: number; isFailed: boolean }): void {
      const bucket = bucketOf(ms);
      for (const counts of countsOf(tenantId)) {
        counts.searches += 1;
        if (isFailed) counts.searchesFailed += 1;
        else counts.searchLatencies[bucket] = (counts.searchLatencies[bucket] ?? 0) + 1;
      }
    },

    /** What has changed since it was last taken. Call `keep` with what could not be stored. */
    takeChanged(): ActivityCell[] {
      const current = minuteOf(now());
      const changed: ActivityCell[] = [];
      for (const [minute, cells] of minutes) {
        for (const cell of cells.values()) if (cell.isChanged) changed.push(cell);
        for (const cell of cells.values()) cell.isChanged = false;
        if (minute < current) forget(minute, cells);
      }
      return changed;
    },

    keep(cells: readonly ActivityCell[]): void {
      for (const { tenantId, minute, counts } of cells) {
        const cell = cellOf(tenantId, minute);
        if (cell) Object.assign(cell, { counts, isChanged: true });
      }
    },
  };

  function countsOf(tenantId: string): Counts[] {
    const cell = cellOf(tenantId, minuteOf(now()));
    if (!cell) return [totals];
    cell.isChanged = true;
    return [totals, cell.counts];
  }

  /** @returns undefined where there is no room */
  function cellOf(tenantId: string, minute: number): Cell | undefined {
    const known = minutes.get(minute)?.get(tenantId);
    if (known) return known;
    const [oldest] = minutes;
    if (size >= maxCells && oldest && oldest[0] < minute) forget(...oldest);
    if (size >= maxCells) return undefined;
    const cells = minutes.get(minute) ?? new Map<string, Cell>();
    const cell = { tenantId, minute, counts: noCounts(), isChanged: false };
    minutes.set(minute, cells.set(tenantId, cell));
    size += 1;
    return cell;
  }

  function forget(minute: number, cells: Map<string, Cell>): void {
    minutes.delete(minute);
    size -= cells.size;
  }
}

const minuteOf = (time: number): number => time - (time % MINUTE_MS);

const noCounts = (): Counts => ({
  documentsReady: 0,
  documentsFailed: 0,
  chunks: 0,
  searches: 0,
  searchesFailed: 0,
  searchLatencies: Array<number>(BUCKET_COUNT).fill(0),
});
