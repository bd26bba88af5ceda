import { z } from 'zod';
import { invalid } from '../../errors/errors.js';
import { text } from '../../routers/index.js';
import type { Caller } from '../caller.js';
import { datasetsOfUnit, reachedUnits } from '../datasets.js';
import { toVectorStore } from './vector-store.js';
import { readVectorStoreId, toVectorStoreId } from './vector-store-id.js';

const MAX_LIMIT = 100;
export const MAX_ID_LENGTH = 1_600;

const cursor = text(MAX_ID_LENGTH).optional();

export const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number')
    .default('20')
    .transform(Number)
    .pipe(z.int().min(1).max(MAX_LIMIT)),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: cursor,
  before: cursor,
});

interface Name {
  unitId: string;
  datasetId: string;
}

/** Lists datasets as vector stores, in the order of units and ids, since nothing says when a dataset was made. */
export async function listVectorStores(
  caller: Caller,
  { limit, order, after, before }: z.output<typeof listQuery>,
) {
  const bounds = { after: readCursor('after', after), before: readCursor('before', before) };
  // What is right before a store is read from there, and turned round.
  const isBackwards = bounds.before !== undefined && bounds.after === undefined;
  const direction = (order === 'asc') !== isBackwards ? 1 : -1;
  const [start, end] = isBackwards ? [bounds.before, undefined] : [bounds.after, bounds.before];
  const isBetween = (name: Name) =>
    (!start || direction * compare(name, start) > 0) && (!end || direction * compare(name, end) < 0);

  const found = [];
  const units = (await reachedUnits(caller)).sort((a, b) => direction * compareText(a, b));
  for (const unitId of units) {
    if (found.length > limit) break;
    if (start && direction * compareText(unitId, start.unitId) < 0) continue;
    const datasets = (await datasetsOfUnit(caller, unitId))
      .map((dataset) => ({ unitId, ...dataset }))
      .sort((a, b) => direction * compare(a, b));
    found.push(...datasets.filter(isBetween));
  }
  const page = found.slice(0, limit).map((one) => toVectorStore(toVectorStoreId(one), one));
  if (isBackwards) page.reverse();
  const [first, last] = [page[0]?.id ?? null, page.at(-1)?.id ?? null];
  return { object: 'list', data: page, first_id: first, last_id: last, has_more: found.length > limit };
}

function readCursor(field: string, id: string | undefined): Name | undefined {
  if (id === undefined) return undefined;
  const { unitId, datasetId } = readVectorStoreId(id) ?? {};
  if (unitId === undefined || datasetId === undefined) throw invalid('must be an id of this list', [field]);
  return { unitId, datasetId };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compare = (a: Name, b: Name): number =>
  compareText(a.unitId, b.unitId) || compareText(a.datasetId, b.datasetId);
