import { type EntryRange, intersectRanges, nameOf, prefixRange, rangesOf } from './entry.js';
import { type Comparison, type Filter, isTime, readKey } from './filter.js';

/** Where the documents or chunks that a filter may let pass are found by index: all of them together. */
export interface FilterSource {
  ids: string[];
  externalIds: string[];
  types: string[];
  /** Of `document_properties`. */
  entries: EntryRange[];
  created: TimeRange[];
  /** Of `posting_segment_metadata`. */
  metadata: EntryRange[];
}

/** In milliseconds, both inclusive. */
interface TimeRange {
  first: number;
  last: number;
}

/** Whether it has documents alone. */
export const isOfDocuments = ({ metadata }: FilterSource): boolean => metadata.length === 0;

/** Whether it has chunks alone. */
export const isOfChunks = ({ metadata, ...documents }: FilterSource): boolean =>
  metadata.length > 0 && Object.values(documents).every(({ length }) => length === 0);

/** Such as PostgreSQL and JavaScript both know. */
const ALWAYS: TimeRange = {
  first: Date.parse('0001-01-01T00:00:00Z'),
  last: Date.parse('9999-12-31T23:59:59Z'),
};
const NONE: FilterSource = { ids: [], externalIds: [], types: [], entries: [], created: [], metadata: [] };
/** Keys of a document that have an index of their own. */
const COLUMNS = { id: 'ids', externalId: 'externalIds', type: 'types' } as const;

/** Each alone has all that may pass. */
export function sourcesOf(filter: Filter): FilterSource[] {
  switch (filter.type) {
    case 'and':
      return withRanges(filter.filters.flatMap(sourcesOf));
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
          metadata: all.flatMap(({ metadata }) => metadata),
        },
      ];
    }
    case 'not':
      return [];
    default:
      return sourceOf(filter);
  }
}

function sourceOf(comparison: Comparison): FilterSource[] {
  const key = readKey(comparison.key);
  if (!key) return [];
  if (key.of === 'metadata') {
    const metadata = rangesOf(comparison, key.name);
    return metadata ? [{ ...NONE, metadata }] : [];
  }
  if (key.of === 'customProperties') return entrySource(rangesOf(comparison, `customProperties.${key.name}`));
  if (isTime(key)) return key.name === 'createdTime' ? createdSource(comparison) : [];
  const isEqual = comparison.type === 'eq' || comparison.type === 'in';
  if (key.name === 'id' || key.name === 'externalId' || key.name === 'type')
    return isEqual ? [{ ...NONE, [COLUMNS[key.name]]: [comparison.value].flat() }] : [];
  if (key.name === 'urlPrefix' && isEqual)
    return entrySource(
      [comparison.value].flat().map((prefix) => prefixRange(String(prefix), 'document.url')),
    );
  return entrySource(rangesOf(comparison, `document.${key.name === 'urlPrefix' ? 'url' : key.name}`));
}

const entrySource = (entries: EntryRange[] | undefined): FilterSource[] =>
  entries ? [{ ...NONE, entries }] : [];

function createdSource(comparison: Comparison): FilterSource[] {
  const times = [comparison.value].flat().map((value) => Date.parse(String(value)));
  switch (comparison.type) {
    case 'eq':
    case 'in':
      return [{ ...NONE, created: times.map((time) => toRange(time, time)) }];
    case 'gt':
    case 'gte':
      return [{ ...NONE, created: times.map((time) => toRange(time, ALWAYS.last)) }];
    case 'lt':
    case 'lte':
      return [{ ...NONE, created: times.map((time) => toRange(ALWAYS.first, time)) }];
    default:
      return [];
  }
}

/** PostgreSQL knows parts of milliseconds. */
const toRange = (first: number, last: number): TimeRange => ({
  first: Math.max(first, ALWAYS.first),
  last: Math.min(last + 1, ALWAYS.last),
});

/** Makes one of ranges of the same values that all have to hold. */
function withRanges(sources: FilterSource[]): FilterSource[] {
  const ranges = new Map<string, FilterSource>();
  const others: FilterSource[] = [];
  for (const source of sources) {
    const name = rangeName(source);
    const other = name === undefined ? undefined : ranges.get(name);
    if (name === undefined) others.push(source);
    else ranges.set(name, other ? intersect(other, source) : source);
  }
  return [...others, ...ranges.values()];
}

/** Of what a source is one range. Undefined where it is more. */
function rangeName({
  ids,
  externalIds,
  types,
  entries,
  created,
  metadata,
}: FilterSource): string | undefined {
  const [entry, chunk] = [entries[0], metadata[0]];
  const count =
    ids.length + externalIds.length + types.length + entries.length + created.length + metadata.length;
  if (count !== 1) return undefined;
  if (entry) return `entry ${nameOf(entry)}`;
  if (chunk) return `metadata ${nameOf(chunk)}`;
  return created.length === 1 ? 'created' : undefined;
}

function intersect(one: FilterSource, other: FilterSource): FilterSource {
  const both = (ranges: EntryRange[], others: EntryRange[]) =>
    ranges.map((range, i) => intersectRanges(range, others[i] ?? range));
  return {
    ...NONE,
    entries: both(one.entries, other.entries),
    metadata: both(one.metadata, other.metadata),
    created: one.created.map(({ first, last }, i) => ({
      first: Math.max(first, other.created[i]?.first ?? first),
      last: Math.min(last, other.created[i]?.last ?? last),
    })),
  };
}
