import { json, Router } from 'express';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { extractKeywords } from '../../../../src/ingestion/chunking/keywords/keywords.js';
import { analyzeChunk } from '../../../../src/search/indexing/chunk-terms.js';
import type { SnakeCaseSchema } from '../snake-case-schema.js';
import { audit, once } from './effects.js';

const id = z.string().min(1).max(255);
const path = z.object({ documentId: id, chunkId: id });
const scope = z.object({ tenantId: id });
const changes = z.object({ content: z.string().min(1).max(32_768) });

/** The text of a chunk, with what search needs of it. */
export function serveChunks(db: Kysely<SnakeCaseSchema>): Router {
  const routes = Router();

  routes.patch('/:documentId/documentChunks/:chunkId', json(), async (req, res) => {
    const { documentId, chunkId } = path.parse(req.params);
    const { tenantId: tenant_id } = scope.parse(req.query);
    const { content } = changes.parse(req.body);
    const { result, isReplay } = await once(db, { req, tenant_id, input: { content } }, async (tx) => {
      const before = await tx
        .selectFrom('chunks')
        .selectAll()
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', chunkId)
        .where('document_id', '=', documentId)
        .where('deleted', '=', false)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const keywords = before.keywords_edited ? before.keywords : extractKeywords(content);
      const revision = before.revision + 1;
      await tx
        .updateTable('chunks')
        .set({
          content,
          keywords: JSON.stringify(keywords),
          edited: true,
          revision,
          updated_time: new Date(),
        })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', chunkId)
        .execute();
      const { terms, length, analyzer } = analyzeChunk({
        content,
        contentComplement: before.content_complement,
        keywords,
      });
      await tx
        .updateTable('chunk_terms')
        .set({ terms, length, analyzer })
        .where('tenant_id', '=', tenant_id)
        .where('chunk_id', '=', chunkId)
        .execute();
      await tx
        .insertInto('posting_changes')
        .values({ tenant_id, document_id: documentId, chunk_ids: [chunkId] })
        .execute();
      await sql`
        insert into search_outbox (tenant_id, chunk_id) select ${tenant_id}, ${chunkId} where exists (select from search_index)
        on conflict (tenant_id, chunk_id) do update
        set revision = excluded.revision, queued_time = excluded.queued_time, task_uid = null, error = null
      `.execute(tx);
      await audit(tx, req, {
        tenant_id,
        tenant_unit_id: before.tenant_unit_id,
        action: 'chunks.update',
        subject_type: 'chunk',
        subject_id: chunkId,
        before: JSON.stringify({ contentLength: before.content.length, revision: before.revision }),
        after: JSON.stringify({ contentLength: content.length, revision }),
      });
      return { etag: `"${revision}"` };
    });
    if (isReplay) res.set('Idempotency-Replayed', 'true');
    res.set('ETag', result.etag).json({});
  });

  return routes;
}
