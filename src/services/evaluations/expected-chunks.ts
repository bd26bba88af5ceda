import { sql } from 'kysely';
import type { ExpectedChunk, Queryable } from '../../../db/schema.js';
import { visibleDatasets } from '../documents/rows.js';
import type { TenantUnitRef } from '../shared/tenant-scope.js';
import type { ExpectedChunkState } from './evaluations.schema.js';

const EXCERPT = 160;

/** A question, as far as it says what is expected and where. */
interface Expecting {
  datasetIds: string[];
  expected: ExpectedChunk[];
}

/** Reads what became of the chunks that questions expect. What a key does not reach is as if it were gone. */
export async function readExpected(
  db: Queryable,
  scope: TenantUnitRef,
  questions: Expecting[],
): Promise<ExpectedChunkState[][]> {
  const all = questions.flatMap(({ expected }) => expected);
  const chunkIds = [...new Set(all.map(({ chunkId }) => chunkId))];
  const found = new Map((await readChunks(db, scope, chunkIds)).map((row) => [row.id, row]));
  return questions.map(({ datasetIds, expected }) =>
    expected.map(({ documentId, chunkId, grade }) => {
      const row = found.get(chunkId);
      const about = { documentId, chunkId, grade, documentName: null, excerpt: null };
      if (row?.documentId !== documentId) return { ...about, state: 'gone' };
      const isSearched = row.datasetIds.some((id) => datasetIds.includes(id));
      if (!row.isActive || !isSearched) return { ...about, state: 'hidden' };
      const { documentName, excerpt } = row;
      return { ...about, state: 'searchable', documentName, excerpt };
    }),
  );
}

interface FoundChunk {
  id: string;
  documentId: string;
  excerpt: string;
  isActive: boolean;
  documentName: string | null;
  datasetIds: string[];
}

async function readChunks(db: Queryable, scope: TenantUnitRef, ids: string[]): Promise<FoundChunk[]> {
  if (ids.length === 0) return [];
  const { tenantId, tenantUnitId } = scope;
  const { rows } = await sql<FoundChunk>`
    select c.id, c.document_id, c.excerpt, c.status = 'active' and d.enabled as is_active, d.document_name, array(
      select dataset_id::text from document_datasets
      where tenant_id = ${tenantId} and document_id = c.document_id) as dataset_ids
    from unnest(${ids}::text[]) as asked (chunk_id)
    cross join lateral (
      select id, document_id, status, left(content, ${sql.lit(EXCERPT)}) as excerpt from chunks
      where tenant_id = ${tenantId} and id = asked.chunk_id and tenant_unit_id = ${tenantUnitId} and not deleted
      limit 1) as c
    cross join lateral (
      select enabled, document_name from documents where tenant_id = ${tenantId} and id = c.document_id limit 1) as d
  `.execute(db);
  return rows.filter(({ datasetIds }) => !scope.datasetIds || visibleDatasets(datasetIds, scope).length > 0);
}
