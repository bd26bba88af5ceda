import { type RawBuilder, sql } from 'kysely';
import {
  comparisonsOf,
  type Filter,
  isOfDocument,
  isTime,
  readKey,
  requirementsOf,
  restOf,
} from './filter.js';
import { toJsonPath } from './to-json-path.js';

/** The columns of a document that conditions read. */
export const filteredColumns = sql`custom_properties, id, external_id, document_type, document_name, url, created_time, updated_time`;

/** Times cost more than all the others: they are in it where they are read. */
const documentFields = (hasTimes: boolean) => sql`jsonb_build_object('id', d.id, 'externalId', d.external_id,
  'type', d.document_type, 'name', d.document_name, 'url', d.url) || case when ${hasTimes}::boolean then
  jsonb_build_object('createdTime', floor(1000 * extract(epoch from d.created_time)),
    'updatedTime', floor(1000 * extract(epoch from d.updated_time))) else '{}' end`;
const nothing = sql`'{}'::jsonb`;

/**
 * Whether a document `d` and its chunk `c` pass all filters: one JSON path as a parameter, so that statements are the same for all
 * filters, and nothing of a filter is SQL.
 */
export const matches = (filters: Filter[]) => {
  const keys = filters.flatMap(comparisonsOf).map(({ key }) => readKey(key));
  const used = new Set(keys.map((key) => key?.of));
  return sql<boolean>`jsonb_path_match(coalesce(d.custom_properties, '{}'), ${toJsonPath(filters)}::jsonpath,
    jsonb_build_object('document', ${used.has('document') ? documentFields(keys.some(isTime)) : nothing},
      'metadata', ${used.has('metadata') ? sql`c.metadata` : nothing}))`;
};

/** The condition for documents `d` of which chunks may pass. */
export const documentMatches = (filter: Filter) => matches(requirementsOf(filter).filter(isOfDocument));

/** Chunks `c` of documents `d` that pass the rest of the filter. */
export const restMatches = (filter: Filter) => matches(restOf(filter));

/** A join that leaves of some rows those whose chunk passes; all without a filter. */
export const passing = (
  { tenantId, filter }: { tenantId: string; filter?: Filter | undefined },
  chunkId: RawBuilder<unknown>,
) =>
  filter
    ? sql`
      cross join lateral (
        select
        from (select document_id, metadata from chunks where tenant_id = ${tenantId} and id = ${chunkId} limit 1) as c
        cross join lateral (
          select ${filteredColumns} from documents where tenant_id = ${tenantId} and id = c.document_id limit 1) as d
        where ${matches([filter])} limit 1) as passing`
    : sql``;
