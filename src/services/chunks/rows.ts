import type { Selectable } from 'kysely';
import type { ChunkTable, Queryable } from '../../../db/schema.js';
import { notFound } from '../../errors/errors.js';
import { assertInNoOtherDataset } from '../documents/datasets.js';
import { documentNotFound, withinDatasets } from '../documents/rows.js';
import { spanOf } from '../search/citation.js';
import { assertExpectedVersion } from '../shared/expected-version.js';
import { dbForScope, resolveTenant, type TenantScope, withinTenant } from '../shared/tenant-scope.js';
import type { ChunkRestoration, ChunkSelection, ListedChunk } from './chunks.schema.js';

export type ChunkRow = Selectable<ChunkTable>;

export const toChunk = (row: ChunkRow): ListedChunk => ({
  ...row,
  version: row.revision,
  span: spanOf(row.metadata),
});

/** Chunk ids are globally unique: without a tenant, the first chunk determines it. */
export async function resolveChunkTenant<S extends ChunkSelection>(db: Queryable, selection: S): Promise<S> {
  const { scope, documentId, chunkIds } = selection;
  const [chunkId] = chunkIds;
  if (scope.tenantId !== undefined || chunkId === undefined) return selection;
  const chunk = await dbForScope(db, scope)
    .selectFrom('chunks')
    .select('tenantId')
    .where('id', '=', chunkId)
    .where('documentId', '=', documentId)
    .where(withinTenant(scope))
    .executeTakeFirst();
  return chunk ? { ...selection, scope: { ...scope, tenantId: chunk.tenantId } } : selection;
}

/** The parent document of the chunks. */
export const findParentDocument = (
  db: Queryable,
  { scope, documentId }: Pick<ChunkSelection, 'scope' | 'documentId'>,
): Promise<{ tenantId: string; id: string }> =>
  dbForScope(db, scope)
    .selectFrom('documents')
    .select(['tenantId', 'id'])
    .where('id', '=', documentId)
    .where(withinDatasets(scope))
    .orderBy('tenantId')
    .limit(1)
    .executeTakeFirstOrThrow(documentNotFound);

/** Locks the document before several of its chunks, as the worker does: each locks them in an order of its own. */
export async function lockParentDocument(
  tx: Queryable,
  { scope, documentId }: Pick<ChunkSelection, 'scope' | 'documentId'>,
): Promise<{ tenantId: string; id: string }> {
  const located = await resolveTenant(tx, 'documents', { scope, id: documentId });
  if (!located) throw documentNotFound();
  const document = await tx
    .selectFrom('documents')
    .select(['tenantId', 'id'])
    .where('id', '=', documentId)
    .where(withinDatasets(located))
    .forUpdate()
    .executeTakeFirstOrThrow(documentNotFound);
  const { tenantId, id } = document;
  await assertInNoOtherDataset(tx, scope, { tenantId, documentIds: [id] }, () => ['documentId']);
  return document;
}

/** Selects a chunk for update, at the expected version. */
export async function lockChunk(
  tx: Queryable,
  { chunkId, expectedVersion, ...input }: ChunkRestoration,
): Promise<ChunkRow> {
  const { datasetIds }: TenantScope = input.scope;
  // Which datasets it is in matters to keys for some of them alone.
  const { tenantId } = await (datasetIds ? lockParentDocument : findParentDocument)(tx, input);
  const [row] = await lockChunks(tx, { ...input, tenantId, chunkIds: [chunkId] }, () =>
    notFound('Chunk', ['chunkId']),
  );
  assertExpectedVersion((row as ChunkRow).revision, expectedVersion);
  return row as ChunkRow;
}

/** Selects chunks of a document for update. */
export async function lockChunks(
  tx: Queryable,
  { scope, tenantId, documentId, chunkIds }: ChunkSelection & { tenantId: string },
  missing = (place: number) => notFound(`Chunk ${chunkIds[place]}`, ['chunkIds', place]),
): Promise<ChunkRow[]> {
  if (chunkIds.length === 0) return [];
  const rows = await tx
    .selectFrom('chunks')
    .selectAll()
    .where('id', 'in', chunkIds)
    .where('documentId', '=', documentId)
    .where('deleted', '=', false)
    .where(withinTenant({ ...scope, tenantId }))
    .orderBy('id')
    .forUpdate()
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  const place = chunkIds.findIndex((id) => !found.has(id));
  if (place >= 0) throw missing(place);
  return rows;
}
