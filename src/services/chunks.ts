import { type Selectable, sql } from 'kysely';
import type { ChunkTable, Database, Queryable } from '../../db/schema.js';
import { notFound } from '../errors.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import type {
  Chunk,
  ChunkChanges,
  ChunkFilter,
  ChunkSelection,
  ChunkSelectionSwitch,
  ChunkSwitch,
} from './chunks.schema.js';
import { assertWithin, offsetOf, type Page, toPage } from './paging.js';
import { inScope, type Scope } from './scope.js';

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
    await assertDocument(db, filter.scope, filter.documentId);
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
  async function update({ scope, documentId, chunkId, content, keywords }: ChunkChanges): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await assertDocument(tx, scope, documentId);
      await assertChunks(tx, { scope, documentId, chunkIds: [chunkId] }, () =>
        notFound('Chunk', ['chunkId']),
      );
      if (content === undefined && keywords === undefined) return;
      const byHand = keywords && JSON.stringify(Object.fromEntries(keywords.map((word) => [word, 1])));
      const fromText = content !== undefined && JSON.stringify(keywordsOf(content));
      await tx
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
        .where('id', '=', chunkId)
        .where(inScope(scope))
        .execute();
      await index.apply(tx, { changed: [chunkId] });
    });
  }

  async function setStatus({ scope, documentId, chunkId, status }: ChunkSwitch): Promise<void> {
    const selection = { scope, documentId, chunkIds: [chunkId] };
    await db.transaction().execute(async (tx) => {
      await assertDocument(tx, scope, documentId);
      await assertChunks(tx, selection, () => notFound('Chunk', ['chunkId']));
      await writeStatus(tx, { ...selection, status });
    });
  }

  /** All or none. */
  async function setStatusMany(input: ChunkSelectionSwitch): Promise<void> {
    assertWithin(maxPageSize, input.chunkIds.length, 'chunkIds');
    await db.transaction().execute(async (tx) => {
      await assertDocument(tx, input.scope, input.documentId);
      await assertChunks(tx, input);
      await writeStatus(tx, input);
    });
  }

  /** All or none. What is deleted stays so when the same text is processed again. */
  async function removeMany(input: ChunkSelection): Promise<void> {
    assertWithin(maxPageSize, input.chunkIds.length, 'chunkIds');
    await db.transaction().execute(async (tx) => {
      // First, as the worker does: locked after the chunks, each would wait for the other.
      await assertDocument(tx, input.scope, input.documentId, { lock: true });
      await assertChunks(tx, input);
      if (input.chunkIds.length === 0) return;
      await tx
        .updateTable('chunks')
        .set((eb) => ({ deleted: true, revision: eb('revision', '+', 1), updatedTime: clock() }))
        .where('id', 'in', input.chunkIds)
        .where(inScope(input.scope))
        .execute();
      await tx
        .updateTable('documents')
        .set((eb) => ({
          chunkCount: eb
            .selectFrom('chunks')
            .select((inner) => inner.fn.countAll<number>().as('count'))
            .whereRef('chunks.tenantId', '=', 'documents.tenantId')
            .whereRef('chunks.documentId', '=', 'documents.id')
            .where('deleted', '=', false),
        }))
        .where('id', '=', input.documentId)
        .where(inScope(input.scope))
        .execute();
      await index.apply(tx, { removed: input.chunkIds });
    });
  }

  async function writeStatus(
    tx: Queryable,
    { scope, chunkIds, status }: ChunkSelectionSwitch,
  ): Promise<void> {
    if (chunkIds.length === 0) return;
    await tx
      .updateTable('chunks')
      .set((eb) => ({ status, revision: eb('revision', '+', 1), updatedTime: clock() }))
      .where('id', 'in', chunkIds)
      .where(inScope(scope))
      .where('status', '!=', status)
      .execute();
    await index.apply(tx, { changed: chunkIds });
  }
}

async function assertDocument(
  db: Queryable,
  scope: Scope,
  documentId: string,
  { lock = false } = {},
): Promise<void> {
  await db
    .selectFrom('documents')
    .select('id')
    .where('id', '=', documentId)
    .where(inScope(scope))
    .orderBy('tenantId')
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirstOrThrow(() => notFound('Document', ['documentId']));
}

/** Locks the chunks, so that what is checked still holds when it is written. */
async function assertChunks(
  tx: Queryable,
  { scope, documentId, chunkIds }: ChunkSelection,
  missing = (place: number) => notFound(`Chunk ${chunkIds[place]}`, ['chunkIds', place]),
): Promise<void> {
  if (chunkIds.length === 0) return;
  const rows = await tx
    .selectFrom('chunks')
    .select('id')
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
}

const toChunk = (row: Selectable<ChunkTable>): Chunk => row as Chunk;
