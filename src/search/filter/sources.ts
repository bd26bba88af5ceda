import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { QueryScope } from '../chunk-index.js';
import { type Comparison, type Filter, type FilterValue, readKey } from './filter.js';

/** Where the documents that a filter may let pass are found by index: all of them together. */
export interface DocumentSource {
  ids: string[];
  externalIds: string[];
  types: string[];
  /** Of `document_properties`. */
  entries: { name: string; value: FilterValue }[];
  created: TimeRange[];
}

/** In milliseconds, both inclusive. */
interface TimeRange {
  first: number;
  last: number;
}

/** Rows that are counted of each part of a source. */
const MAX_COUNTED = 1_000;
/** Such as PostgreSQL and JavaScript both know. */
const ALWAYS: TimeRange = {
  first: Date.parse('0001-01-01T00:00:00Z'),
  last: Date.parse('9999-12-31T23:59:59Z'),
};

/** The source with the fewest rows. Undefined where no index helps. */
export async function chooseSource(
  db: Database,
  scope: QueryScope,
  filter: Filter,
): Promise<DocumentSource | undefined> {
  const sources = sourcesOf(filter);
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
  sources: DocumentSource[],
  limit: number | null = null,
): RawBuilder<unknown> {
  const units = [tenantUnitId].flat();
  const each = <T>(of: (source: DocumentSource) => T[]) =>
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
    from unnest(${places(entries)}, ${values(entries, ({ name }) => name)}::text[],
      ${values(entries, ({ value }) => JSON.stringify(value))}::text[]) as asked (place, name, value)
    cross join lateral (
      select document_id from document_properties
      where tenant_id = ${tenantId} and entry = property_entry(asked.name, asked.value::jsonb)
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

const NONE: DocumentSource = { ids: [], externalIds: [], types: [], entries: [], created: [] };

/** Each alone has all documents that may pass. */
function sourcesOf(filter: Filter): DocumentSource[] {
  switch (filter.type) {
    case 'and':
      return withRange(filter.filters.flatMap(sourcesOf));
    case 'or': {
      const each = filter.filters.map((one) => sourcesOf(one)[0]);
      const all = each.filter((one) => one !== undefined);
      if (all.length < each.length) return [];
      return [
        {
          ids: all.flatMap(({ ids }) => ids),
          externalIds: all.flatMap(({ externalIds }) => externalIds),
          types: all.flatMap(({ types }) => types),
          entries: all.flatMap(({ entries }) => entries),
          created: all.flatMap(({ created }) => created),
        },
      ];
    }
    case 'eq':
    case 'in':
      return sourceOf(filter, [filter.value].flat());
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const read = readKey(filter.key);
      if (read?.of !== 'document' || read.name !== 'createdTime') return [];
      const time = Date.parse(String(filter.value));
      const isLeast = filter.type === 'gt' || filter.type === 'gte';
      return [{ ...NONE, created: [toRange(isLeast ? time : ALWAYS.first, isLeast ? ALWAYS.last : time)] }];
    }
    default:
      return [];
  }
}

/** Makes one of ranges that all have to hold. */
function withRange(sources: DocumentSource[]): DocumentSource[] {
  const isRange = ({ ids, externalIds, types, entries, created }: DocumentSource) =>
    created.length === 1 && ids.length + externalIds.length + types.length + entries.length === 0;
  const ranges = sources.filter(isRange).flatMap(({ created }) => created);
  if (ranges.length < 2) return sources;
  const first = Math.max(...ranges.map((one) => one.first));
  const last = Math.min(...ranges.map((one) => one.last));
  return [...sources.filter((one) => !isRange(one)), { ...NONE, created: [{ first, last }] }];
}

function sourceOf({ key }: Comparison, values: FilterValue[]): DocumentSource[] {
  const read = readKey(key);
  const entries = (name: string) => [{ ...NONE, entries: values.map((value) => ({ name, value })) }];
  if (read?.of === 'customProperties') return entries(`customProperties.${read.name}`);
  if (read?.of !== 'document') return [];
  switch (read.name) {
    case 'id':
      return [{ ...NONE, ids: values.map(String) }];
    case 'externalId':
      return [{ ...NONE, externalIds: values.map(String) }];
    case 'type':
      return [{ ...NONE, types: values.map(String) }];
    case 'createdTime':
      return [
        {
          ...NONE,
          created: values.map((value) => toRange(Date.parse(String(value)), Date.parse(String(value)))),
        },
      ];
    case 'name':
    case 'url':
      return entries(`document.${read.name}`);
    default:
      return [];
  }
}

/** PostgreSQL knows parts of milliseconds. */
const toRange = (first: number, last: number): TimeRange => ({
  first: Math.max(first, ALWAYS.first),
  last: Math.min(last + 1, ALWAYS.last),
});
