import { Router } from 'express';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { SnakeCaseSchema } from '../snake-case-schema.js';

const id = z.string().min(1).max(255);
const path = z.object({ id });
const scope = z.object({ tenantId: id });
const filter = scope.extend({
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(10),
});

/** What an answer holds, without the content. */
const columns = [
  ...(['id', 'tenant_id', 'tenant_unit_id', 'document_type', 'document_sub_type'] as const),
  ...(['sniffed_sub_type', 'document_name', 'storage_type', 'storage_bucket', 'storage_path'] as const),
  ...(['url', 'created_time', 'updated_time', 'status', 'created_by', 'updated_by', 'title'] as const),
  ...(['category', 'processing_progress', 'custom_properties', 'enabled', 'version'] as const),
] as const;

const select = (db: Kysely<SnakeCaseSchema>) => db.selectFrom('documents').select(columns);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

const toAnswer = (row: Row) => ({
  id: row.id,
  tenantId: row.tenant_id,
  tenantUnitId: row.tenant_unit_id,
  documentType: row.document_type,
  documentSubType: row.document_sub_type ?? row.sniffed_sub_type ?? undefined,
  documentName: row.document_name ?? undefined,
  storageType: row.storage_type ?? undefined,
  storageBucket: row.storage_bucket ?? undefined,
  storagePath: row.storage_path ?? undefined,
  url: row.url ?? undefined,
  createdTime: row.created_time,
  updatedTime: row.updated_time,
  status: row.status,
  createdBy: row.created_by ?? undefined,
  updatedBy: row.updated_by ?? undefined,
  title: row.title ?? undefined,
  category: row.category ?? undefined,
  processingProgress: row.processing_progress,
  customProperties: row.custom_properties ?? undefined,
  enabled: row.enabled,
});

export function serveDocuments(db: Kysely<SnakeCaseSchema>): Router {
  const routes = Router();

  routes.get('/', async (req, res) => {
    const { tenantId, page, pageSize } = filter.parse(req.query);
    const [{ count }, rows] = await Promise.all([
      db
        .selectFrom('documents')
        .where('tenant_id', '=', tenantId)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow(),
      select(db)
        .where('tenant_id', '=', tenantId)
        .orderBy('created_time', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute(),
    ]);
    const totalCount = Number(count);
    const totalPages = Math.ceil(totalCount / pageSize);
    const pagination = { totalCount, currentPage: page, pageSize, totalPages };
    res.json({ data: rows.map(toAnswer), pagination });
  });

  routes.get('/:id', async (req, res) => {
    const { tenantId } = scope.parse(req.query);
    const row = await select(db)
      .where('tenant_id', '=', tenantId)
      .where('id', '=', path.parse(req.params).id)
      .select(
        sql<string | null>`(select content from document_sources as s
          where s.tenant_id = documents.tenant_id and s.document_id = documents.id)`.as('content'),
      )
      .executeTakeFirst();
    if (!row) {
      res.status(404).json({ detail: 'Document not found.' });
      return;
    }
    res.set('ETag', `"${row.version}"`).json({ ...toAnswer(row), documentContent: row.content ?? undefined });
  });

  return routes;
}
