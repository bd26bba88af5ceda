/** How often a process has searched a dataset on a day. */
export interface DatasetSearchCell {
  tenantId: string;
  /** Empty where a search was not of one unit. */
  tenantUnitId: string;
  datasetId: string;
  /** Its start in UTC, in milliseconds since 1970. */
  day: number;
  searches: number;
}

interface Cell extends DatasetSearchCell {
  /** Whether it has changed since it was last taken. */
  isChanged: boolean;
}

/** With the longest ids some 2 kB each. */
const MAX_CELLS = 20_000;
/** Ids are counted as callers send them: the room of one tenant is a part of all. */
const SHARE_OF_A_TENANT = 0.05;
const DAY_MS = 86_400_000;

export type DatasetSearches = ReturnType<typeof createDatasetSearches>;

/**
 * Counts the searches of each dataset by day and unit, until that is stored. Memory is bounded: what has no room is not counted
 * until the next day.
 *
 * @param now in milliseconds since 1970
 */
export function createDatasetSearches({ now = Date.now, maxCells = MAX_CELLS } = {}) {
  const cells = new Map<string, Cell>();
  const cellsOf = new Map<string, number>();
  const most = Math.ceil(maxCells * SHARE_OF_A_TENANT);

  return {
    count(place: { tenantId: string; tenantUnitId: string }, datasetIds: Iterable<string>): void {
      const day = dayOf(now());
      for (const datasetId of new Set(datasetIds)) {
        const cell = cellOf({ ...place, datasetId, day });
        if (!cell) continue;
        cell.searches += 1;
        cell.isChanged = true;
      }
    },

    /** What has changed since it was last taken. Call `keep` with what could not be stored. */
    takeChanged(): DatasetSearchCell[] {
      const today = dayOf(now());
      const changed: DatasetSearchCell[] = [];
      for (const [key, cell] of cells) {
        if (cell.isChanged) changed.push(cell);
        cell.isChanged = false;
        if (cell.day < today) forget(key, cell);
      }
      return changed;
    },

    keep(taken: readonly DatasetSearchCell[]): void {
      for (const { searches, ...where } of taken) {
        const cell = cellOf(where);
        if (cell) Object.assign(cell, { searches, isChanged: true });
      }
    },
  };

  /** @returns undefined where there is no room */
  function cellOf(where: Omit<DatasetSearchCell, 'searches'>): Cell | undefined {
    const { tenantId, tenantUnitId, datasetId, day } = where;
    const key = JSON.stringify([tenantId, tenantUnitId, datasetId, day]);
    const known = cells.get(key);
    const ofTenant = cellsOf.get(tenantId) ?? 0;
    if (known || cells.size >= maxCells || ofTenant >= most) return known;
    const cell = { ...where, searches: 0, isChanged: false };
    cells.set(key, cell);
    cellsOf.set(tenantId, ofTenant + 1);
    return cell;
  }

  function forget(key: string, { tenantId }: Cell): void {
    cells.delete(key);
    const left = (cellsOf.get(tenantId) ?? 0) - 1;
    if (left > 0) cellsOf.set(tenantId, left);
    else cellsOf.delete(tenantId);
  }
}

const dayOf = (time: number): number => time - (time % DAY_MS);
