import { type Selectable, sql } from 'kysely';
import type { ChunkTable, Database, Queryable } from '../../db/schema.js';
import { notFound } from '../errors.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import type { Actor } from './actor.js';
import { differenceOf, recordWrites } from './audit.js';
import type {
  Chunk,
  ChunkChanges,
  ChunkFilter,
  ChunkSelection,
  ChunkSelectionSwitch,
  ChunkSwitch,
} from './chunks.schema.js';
import { inReach } from './document-rows.js';
import { assertWithin, offsetOf, type Page, toPage } from './paging.js';
import { across, inScope } from './scope.js';
import { assertVersion } from './versions.js';
import { write } from './write.js';

export interface ChunksDependencies {
  db: Database;
  clock: () => Date;
  index: Pick<ChunkIndex, 'apply'>;
  /** The telling words of a text, with their weights. */
  keywordsOf: (text: string) => Record<string, number>;
  maxPageSize: number;
}

export type Chunks = ReturnType<typeof createChunks>;

/** The text chunks of documents. Every function answers only for what lies in the given scope. */
export function createChunks({ db, clock, index, keywordsOf, maxPageSize }: ChunksDependencies) {
  return { list, update, setStatus, setStatusMany, removeMany };

  /** In document order. */
  async function list(filter: ChunkFilter): Promise<Page<Chunk>> {
    assertWithin(maxPageSize, filter.pageSize, 'pageSize');
    await findDocument(db, filter);
    const matching = db
      .selectFrom('chunks')
      .where(inScope(filter.scope))
      .where('documentId', '=', filter.documentId)
      .where('deleted', '=', false);
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('ordinal')
        .orderBy('id')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, rows.map(toChunk), count);
  }

  /** Keywords set by hand weigh 1, and stay when the text changes; those taken from the text change with it. */
  async function update(input: ChunkChanges, actor: Actor): Promise<{ version: number }> {
    const { content, keywords } = input;
    return write(db, { scope: input.scope, actor }, async (tx) => {
      const before = await lockOne(tx, input);
      if (content === undefined && keywords === undefined) return { version: before.revision };
      const byHand = keywords && JSON.stringify(Object.fromEntries(keywords.map((word) => [word, 1])));
      const fromText = content !== undefined && JSON.stringify(keywordsOf(content));
      const after = await tx
        .updateTable('chunks')
        .set((eb) => ({
          ...(content !== undefined && { content }),
          ...(byHand
            ? { keywords: byHand, keywordsEdited: true }
            : fromText && {
                keywords: sql<string>`case when keywords_edited then keywords else ${fromText}::json end`,
              }),
          edited: true,
          revision: eb('revision', '+', 1),
          updatedTime: clock(),
        }))
        .where('tenantId', '=', before.tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await index.apply(tx, { tenantId: before.tenantId, changed: [before.id] });
      await tellChanged(tx, actor, 'chunks.update', [before], [after]);
      return { version: after.revision };
    });
  }

  async function setStatus(input: ChunkSwitch, actor: Actor): Promise<{ version: number }> {
    return write(db, { scope: input.scope, actor }, async (tx) => {
      const before = await lockOne(tx, input);
      const [after = before] = await writeStatus(tx, [before], input.status);
      await tellChanged(tx, actor, 'chunks.setStatus', [before], [after]);
      return { version: after.revision };
    });
  }

  /** All or none. */
  async function setStatusMany(input: ChunkSelectionSwitch, actor: Actor): Promise<void> {
    assertWithin(maxPageSize, input.chunkIds.length, 'chunkIds');
    const located = await locate(db, input);
    await write(db, { scope: located.scope, actor }, async (tx) => {
      await findDocument(tx, located);
      const before = await lockChunks(tx, located);
      const after = await writeStatus(tx, before, input.status);
      await tellChanged(tx, actor, 'chunks.setStatusMany', before, after);
    });
  }

  /** All or none. What is deleted stays so when the same text is processed again. */
  async function removeMany(input: ChunkSelection, actor: Actor): Promise<void> {
    assertWithin(maxPageSize, input.chunkIds.length, 'chunkIds');
    const located = await locate(db, input);
    await write(db, { scope: located.scope, actor }, async (tx) => {
      // First, as the worker does: locked after the chunks, each would wait for the other.
      const document = await findDocument(tx, located, { forUpdate: true });
      const before = await lockChunks(tx, located);
      if (before.length === 0) return;
      const { tenantId, id: documentId } = document;
      const ids = before.map(({ id }) => id);
      const after = await tx
        .updateTable('chunks')
        .set((eb) => ({ deleted: true, revision: eb('revision', '+', 1), updatedTime: clock() }))
        .where('tenantId', '=', tenantId)
        .where('id', 'in', ids)
        .returningAll()
        .execute();
      await tx
        .updateTable('documents')
        .set((eb) => ({
          chunkCount: eb
            .selectFrom('chunks')
            .select((inner) => inner.fn.countAll<number>().as('count'))
            .where('chunks.tenantId', '=', tenantId)
            .where('chunks.documentId', '=', documentId)
            .where('deleted', '=', false),
        }))
        .where('tenantId', '=', tenantId)
        .where('id', '=', documentId)
        .execute();
      await index.apply(tx, { tenantId, removed: ids });
      await tellChanged(tx, actor, 'chunks.deleteMany', before, after);
    });
  }

  /** @returns those that had another status before */
  async function writeStatus(tx: Queryable, chunks: Row[], status: string): Promise<Row[]> {
    const ids = chunks.filter((chunk) => chunk.status !== status).map(({ id }) => id);
    const [first] = chunks;
    if (!first || ids.length === 0) return [];
    const rows = await tx
      .updateTable('chunks')
      .set((eb) => ({ status, revision: eb('revision', '+', 1), updatedTime: clock() }))
      .where('tenantId', '=', first.tenantId)
      .where('id', 'in', ids)
      .returningAll()
      .execute();
    await index.apply(tx, { tenantId: first.tenantId, changed: ids });
    return rows;
  }
}

type Row = Selectable<ChunkTable>;

/** Chunk ids are unique everywhere: where no tenant is named, the first chunk tells whose document is meant. */
async function locate<S extends ChunkSelection>(db: Queryable, selection: S): Promise<S> {
  const { scope, documentId, chunkIds } = selection;
  const [chunkId] = chunkIds;
  if (scope.tenantId !== undefined || chunkId === undefined) return selection;
  const chunk = await across(db, scope)
    .selectFrom('chunks')
    .select('tenantId')
    .where('id', '=', chunkId)
    .where('documentId', '=', documentId)
    .where(inScope(scope))
    .executeTakeFirst();
  return chunk ? { ...selection, scope: { ...scope, tenantId: chunk.tenantId } } : selection;
}

const findDocument = (
  db: Queryable,
  { scope, documentId }: Pick<ChunkSelection, 'scope' | 'documentId'>,
  { forUpdate = false } = {},
): Promise<{ tenantId: string; id: string }> =>
  across(db, scope)
    .selectFrom('documents')
    .select(['tenantId', 'id'])
    .where('id', '=', documentId)
    .where(inReach(scope))
    .orderBy('tenantId')
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirstOrThrow(() => notFound('Document', ['documentId']));

/** The chunk that a caller means, as the caller knows it. */
async function lockOne(tx: Queryable, { chunkId, expectedVersion, ...input }: ChunkChanges): Promise<Row> {
  await findDocument(tx, input);
  const [row] = await lockChunks(tx, { ...input, chunkIds: [chunkId] }, () => notFound('Chunk', ['chunkId']));
  assertVersion((row as Row).revision, expectedVersion);
  return row as Row;
}

/** Locks the chunks, so that what is checked still holds when it is written. */
async function lockChunks(
  tx: Queryable,
  { scope, documentId, chunkIds }: ChunkSelection,
  missing = (place: number) => notFound(`Chunk ${chunkIds[place]}`, ['chunkIds', place]),
): Promise<Row[]> {
  if (chunkIds.length === 0) return [];
  const rows = await across(tx, scope)
    .selectFrom('chunks')
    .selectAll()
    .where('id', 'in', chunkIds)
    .where('documentId', '=', documentId)
    .where('deleted', '=', false)
    .where(inScope(scope))
    .orderBy('id')
    .forUpdate()
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  const place = chunkIds.findIndex((id) => !found.has(id));
  if (place >= 0) throw missing(place);
  return rows;
}

/** What the audit trail keeps of a chunk: its text is told by its length alone, as are words taken from it. */
const onRecord = ({ documentId, status, deleted, keywords, keywordsEdited, content, revision }: Row) => ({
  documentId,
  status,
  deleted,
  keywords: keywordsEdited ? Object.keys(keywords) : null,
  contentLength: content.length,
  revision,
});

async function tellChanged(
  tx: Queryable,
  actor: Actor,
  action: string,
  before: Row[],
  after: Row[],
): Promise<void> {
  const [first] = after;
  if (!first) return;
  const former = new Map(before.map((row) => [row.id, row]));
  const entries = after.map((row) => {
    const { id, tenantUnitId } = row;
    const difference = differenceOf(onRecord(former.get(id) ?? row), onRecord(row));
    return { action, tenantUnitId, subject: { type: 'chunk', id }, ...difference };
  });
  await recordWrites(tx, first.tenantId, actor, entries);
}

const toChunk = (row: Row): Chunk => ({ ...row, version: row.revision }) as Chunk;
