import { z } from 'zod';
import { invalid } from '../../errors/errors.js';
import { text } from '../../routers/index.js';
import type { Caller } from '../caller.js';
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
  tenantUnitId: string;
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
  const isAscending = (order === 'asc') !== isBackwards;
  const [start, end] = isBackwards ? [bounds.before, undefined] : [bounds.after, bounds.before];
  const { api, tenantId, tenantUnitIds } = caller;
  const { datasets } = await api.reach.unitDatasets({
    scope: { tenantId, ...(tenantUnitIds && { tenantUnitId: [...tenantUnitIds] }) },
    after: start,
    order: isAscending ? 'asc' : 'desc',
    // One more tells whether there are more.
    limit: limit + 1,
  });
  const found = datasets.filter((one) => !end || (isAscending ? isBefore(one, end) : isBefore(end, one)));
  const page = found.slice(0, limit).map((one) => toVectorStore(toVectorStoreId(one), one));
  if (isBackwards) page.reverse();
  const [first, last] = [page[0]?.id ?? null, page.at(-1)?.id ?? null];
  return { object: 'list', data: page, first_id: first, last_id: last, has_more: found.length > limit };
}

function readCursor(field: string, id: string | undefined): Name | undefined {
  if (id === undefined) return undefined;
  const { unitId, datasetId } = readVectorStoreId(id) ?? {};
  if (unitId === undefined || datasetId === undefined) throw invalid('must be an id of this list', [field]);
  return { tenantUnitId: unitId, datasetId };
}

const isBefore = (a: Name, b: Name): boolean =>
  (compareBytes(a.tenantUnitId, b.tenantUnitId) || compareBytes(a.datasetId, b.datasetId)) < 0;

/** As the database orders ids. */
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
