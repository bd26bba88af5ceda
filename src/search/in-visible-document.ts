import { sql } from 'kysely';
import type { ChunkQuery } from './chunk-index.js';

/** Joins that leave of chunks `c` those whose document is enabled, and in one of the query's datasets. */
export const inVisibleDocument = ({ tenantId, datasetIds }: ChunkQuery) => sql`
  cross join lateral (
    select from documents
    where tenant_id = ${tenantId} and id = c.document_id and enabled and dataset_ids && ${datasetIds}::text[] limit 1) as d`;
