import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { QueryScope } from '../chunk-index.js';
import type { FilterSource } from './filter-sources.js';

/** Rows that are counted of each part of a source. */
const MAX_COUNTED = 1_000;

/** The source of documents with the fewest rows. Undefined where no index helps. */
export async function chooseSource(
  db: Database,
  scope: QueryScope,
  sources: FilterSource[],
): Promise<FilterSource | undefined> {
  const exact = sources.find(
    ({ types, entries, created }) => [...types, ...entries, ...created].length === 0,
  );
  if (exact || sources.length < 2) return exact ?? sources[0];
  const { rows } = await sql<{ place: number }>`
    select place from (${idsOf(scope, sources, MAX_COUNTED)}) as found group by place order by count(*)
  `.execute(db);
  const places = rows.map(({ place }) => place);
  return sources.find((_, place) => !places.includes(place)) ?? sources[places[0] ?? 0];
}

/** The documents of sources, each with its source's `place`. */
export function idsOf(
  { tenantId, tenantUnitId }: QueryScope,
  sources: FilterSource[],
  limit: number | null = null,
): RawBuilder<unknown> {
  const units = [tenantUnitId].flat();
  const each = <T>(of: (source: FilterSource) => T[]) =>
    sources.flatMap((source, place) => of(source).map((one) => ({ one, place })));
  const places = (asked: { place: number }[]) => sql`${asked.map(({ place }) => place)}::integer[]`;
  const values = <T>(asked: { one: T }[], of: (one: T) => unknown) => asked.map(({ one }) => of(one));
  const [ids, externalIds, types, entries, created] = [
    each((source) => source.ids),
    each((source) => source.externalIds),
    each((source) => source.types),
    each((source) => source.entries),
    each((source) => source.created),
  ];
  return sql`
    select place, id from unnest(${places(ids)}, ${values(ids, String)}::text[]) as asked (place, id)
    union all
    select asked.place, d.id
    from unnest(${places(externalIds)}, ${values(externalIds, String)}::text[]) as asked (place, external_id)
    cross join lateral (
      select id from documents
      where tenant_id = ${tenantId} and tenant_unit_id = any(${units}) and external_id = asked.external_id
      limit ${limit}::bigint) as d
    union all
    select asked.place, d.id from unnest(${places(types)}, ${values(types, String)}::text[]) as asked (place, type)
    cross join lateral (
      select id from documents
      where tenant_id = ${tenantId} and tenant_unit_id = any(${units}) and document_type = asked.type
      limit ${limit}::bigint) as d
    union all
    select asked.place, p.document_id
    from unnest(${places(entries)}, ${values(entries, ({ least }) => least)}::bytea[],
      ${values(entries, ({ most }) => most)}::bytea[]) as asked (place, least, most)
    cross join lateral (
      select document_id from document_properties
      where tenant_id = ${tenantId} and entry between asked.least and asked.most
      limit ${limit}::bigint) as p
    union all
    select asked.place, d.id
    from unnest(${places(created)}, ${values(created, ({ first }) => new Date(first).toISOString())}::timestamptz[],
      ${values(created, ({ last }) => new Date(last).toISOString())}::timestamptz[]) as asked (place, first, last)
    cross join lateral (
      select id from documents
      where tenant_id = ${tenantId} and tenant_unit_id = any(${units}) and created_time between asked.first and asked.last
      limit ${limit}::bigint) as d`;
}
