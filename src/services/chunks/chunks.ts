import { sql } from 'kysely';
import type { ChunkStatus } from '../../../db/enums.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { conflict } from '../../errors/errors.js';
import { writeChunkChanges } from '../../search/indexing/index-writer.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost } from '../shared/pagination.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditChunkChanges } from './audit.js';
import type {
  ChunkChanges,
  ChunkRestoration,
  ChunkSelection,
  ChunkSelectionStatusChange,
  ChunkStatusChange,
} from './chunks.schema.js';
import { createChunkList } from './list.js';
import { type ChunkRow, lockChunk, lockChunks, lockParentDocument, resolveChunkTenant } from './rows.js';

export interface ChunksDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  /** Extracts weighted keywords from a text. */
  extractKeywords: (text: string) => Promise<Record<string, number>>;
  maxPageSize: number;
}

export type Chunks = ReturnType<typeof createChunks>;

/** Chunks of documents. Every function is restricted to the given tenant scope. */
export function createChunks({
  db,
  writeTransaction,
  clock,
  extractKeywords,
  maxPageSize,
}: ChunksDependencies) {
  const list = createChunkList({ db, maxPageSize });
  return { list, update, restore, setStatus, setStatusMany, removeMany };

  /** Manual keywords have weight 1 and survive edits of the text; extracted ones are recomputed. */
  async function update(input: ChunkChanges, actor: Actor): Promise<{ version: number }> {
    const { content, keywords } = input;
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lockChunk(tx, input);
      if (content === undefined && keywords === undefined) return { version: before.revision };
      const byHand = keywords && JSON.stringify(Object.fromEntries(keywords.map((word) => [word, 1])));
      const fromText = content !== undefined && JSON.stringify(await extractKeywords(content));
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
          // What was split off, where this is the first edit.
          originalContent: sql<string | null>`case when edited then original_content else content end`,
          originalKeywords: sql<string | null>`case when edited then original_keywords else keywords end`,
          revision: eb('revision', '+', 1),
          updatedTime: clock(),
        }))
        .where('tenantId', '=', before.tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await finishEdit(tx, actor, 'chunks.update', before, after);
      return { version: after.revision };
    });
  }

  /** Text and keywords become again what was split off. */
  async function restore(input: ChunkRestoration, actor: Actor): Promise<{ version: number }> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lockChunk(tx, input);
      if (!before.edited) return { version: before.revision };
      if (before.originalContent === null) throw originalNotKept();
      const after = await tx
        .updateTable('chunks')
        .set((eb) => ({
          content: sql<string>`original_content`,
          keywords: sql<string>`original_keywords`,
          keywordsEdited: false,
          edited: false,
          originalContent: null,
          originalKeywords: null,
          revision: eb('revision', '+', 1),
          updatedTime: clock(),
        }))
        .where('tenantId', '=', before.tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await finishEdit(tx, actor, 'chunks.restore', before, after);
      return { version: after.revision };
    });
  }

  async function finishEdit(
    tx: Queryable,
    actor: Actor,
    action: string,
    before: ChunkRow,
    after: ChunkRow,
  ): Promise<void> {
    const { tenantId, documentId, id } = after;
    await writeChunkChanges(tx, { tenantId, documentId, edited: [id] });
    await auditChunkChanges(tx, actor, action, [before], [after]);
  }

  async function setStatus(input: ChunkStatusChange, actor: Actor): Promise<{ version: number }> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lockChunk(tx, input);
      const [after = before] = await writeStatus(tx, [before], input.status);
      await auditChunkChanges(tx, actor, 'chunks.setStatus', [before], [after]);
      return { version: after.revision };
    });
  }

  /** All or none. */
  async function setStatusMany(input: ChunkSelectionStatusChange, actor: Actor): Promise<void> {
    assertAtMost(maxPageSize, input.chunkIds.length, 'chunkIds');
    const located = await resolveChunkTenant(db, input);
    await writeTransaction({ scope: located.scope, actor }, async (tx) => {
      const { tenantId } = await lockParentDocument(tx, located);
      const before = await lockChunks(tx, { ...located, tenantId });
      const after = await writeStatus(tx, before, input.status);
      await auditChunkChanges(tx, actor, 'chunks.setStatusMany', before, after);
    });
  }

  /** All or none. Deleted chunks stay deleted when the same text is processed again. */
  async function removeMany(input: ChunkSelection, actor: Actor): Promise<void> {
    assertAtMost(maxPageSize, input.chunkIds.length, 'chunkIds');
    const located = await resolveChunkTenant(db, input);
    await writeTransaction({ scope: located.scope, actor }, async (tx) => {
      const { tenantId, id: documentId } = await lockParentDocument(tx, located);
      const before = await lockChunks(tx, { ...located, tenantId });
      if (before.length === 0) return;
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
      await writeChunkChanges(tx, { tenantId, documentId, removed: ids });
      await auditChunkChanges(tx, actor, 'chunks.deleteMany', before, after);
    });
  }

  /** @returns the chunks whose status changed */
  async function writeStatus(tx: Queryable, chunks: ChunkRow[], status: ChunkStatus): Promise<ChunkRow[]> {
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
    await writeChunkChanges(tx, { tenantId: first.tenantId, documentId: first.documentId, switched: ids });
    return rows;
  }
}

const originalNotKept = () =>
  conflict(
    'The original text of this chunk was not kept: it was edited by an earlier version of the server.',
    ['chunkId'],
  );
