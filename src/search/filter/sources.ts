import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type Comparison, type Filter, type FilterValue, readKey } from './filter.js';

/** Where the documents that a filter may let pass are found by index: all of them together. */
export interface DocumentSource {
  ids: string[];
  externalIds: string[];
  /** Of `document_properties`. */
  entries: { name: string; value: FilterValue }[];
}

/** Rows of an entry. */
const MAX_COUNTED = 1_000;

/** The source with the fewest entries. Undefined where no index helps. */
export async function chooseSource(
  db: Database,
  tenantId: string,
  filter: Filter,
): Promise<DocumentSource | undefined> {
  const sources = sourcesOf(filter);
  const exact = sources.find(({ entries }) => entries.length === 0);
  if (exact || sources.length < 2) return exact ?? sources[0];
  const all = sources.flatMap(({ entries }, place) => entries.map((entry) => ({ ...entry, place })));
  const { rows } = await sql<{ place: number; count: number }>`
    select asked.place, sum(found.count) as count
    from unnest(${all.map(({ place }) => place)}::integer[], ${all.map(({ name }) => name)}::text[],
      ${all.map(({ value }) => JSON.stringify(value))}::text[]) as asked (place, name, value)
    cross join lateral (
      select count(*) from (
        select from document_properties
        where tenant_id = ${tenantId} and entry = property_entry(asked.name, asked.value::jsonb)
        limit ${sql.lit(MAX_COUNTED)}) as counted) as found (count)
    group by asked.place order by count limit 1
  `.execute(db);
  return sources[rows[0]?.place ?? 0];
}

/** Each alone has all documents that may pass. */
function sourcesOf(filter: Filter): DocumentSource[] {
  switch (filter.type) {
    case 'and':
      return filter.filters.flatMap(sourcesOf);
    case 'or': {
      const each = filter.filters.map((one) => sourcesOf(one)[0]);
      const all = each.filter((one) => one !== undefined);
      if (all.length < each.length) return [];
      return [
        {
          ids: all.flatMap(({ ids }) => ids),
          externalIds: all.flatMap(({ externalIds }) => externalIds),
          entries: all.flatMap(({ entries }) => entries),
        },
      ];
    }
    case 'eq':
      return sourceOf(filter, [filter.value]);
    case 'in':
      return sourceOf(filter, filter.value);
    default:
      return [];
  }
}

function sourceOf({ key }: Comparison, values: FilterValue[]): DocumentSource[] {
  const read = readKey(key);
  const none: DocumentSource = { ids: [], externalIds: [], entries: [] };
  const entries = (name: string) => [{ ...none, entries: values.map((value) => ({ name, value })) }];
  if (read?.of === 'customProperties') return entries(`customProperties.${read.name}`);
  if (read?.of !== 'document') return [];
  if (read.name === 'id') return [{ ...none, ids: values.map(String) }];
  if (read.name === 'externalId') return [{ ...none, externalIds: values.map(String) }];
  return read.name === 'name' || read.name === 'url' ? entries(`document.${read.name}`) : [];
}
