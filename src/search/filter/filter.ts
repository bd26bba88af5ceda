/** A single value that a filter compares with. */
export type FilterValue = string | number | boolean;

/** Compares what a document or chunk has under a key. */
export type Comparison =
  | { type: 'eq' | 'ne' | 'contains'; key: string; value: FilterValue }
  | { type: 'in' | 'nin'; key: string; value: FilterValue[] }
  | { type: 'gt' | 'gte' | 'lt' | 'lte'; key: string; value: string | number }
  | { type: 'exists'; key: string; value: boolean };

/** Which chunks a search may find, by their documents and metadata. */
export type Filter = Comparison | { type: 'and' | 'or'; filters: Filter[] } | { type: 'not'; filter: Filter };

/** Of the document itself, by the names that keys have behind `document.`. */
export const documentKeys = [
  'id',
  'externalId',
  'type',
  'name',
  'url',
  'urlPrefix',
  'createdTime',
  'updatedTime',
] as const;
export type DocumentKey = (typeof documentKeys)[number];

/** What a key names: something of the document, a custom property of it, or a part of the chunk's metadata. */
export type FilterKey =
  | { of: 'document'; name: DocumentKey }
  | { of: 'customProperties' | 'metadata'; name: string };

/** Reads a key. One without a known beginning is a custom property. @returns undefined where it names nothing */
export function readKey(key: string): FilterKey | undefined {
  const [, beginning, name = ''] = /^(document|customProperties|metadata)\.(.*)$/s.exec(key) ?? [];
  if (beginning === 'document') {
    const known = documentKeys.find((one) => one === name);
    return known && { of: 'document', name: known };
  }
  if (beginning === 'customProperties' || beginning === 'metadata')
    return name === '' ? undefined : { of: beginning, name };
  return key === '' ? undefined : { of: 'customProperties', name: key };
}

export const isTime = (key: FilterKey | undefined): boolean =>
  key?.of === 'document' && (key.name === 'createdTime' || key.name === 'updatedTime');

/** What a filter requires in any case: the parts of nested `and`s. */
export const requirementsOf = (filter: Filter): Filter[] =>
  filter.type === 'and' ? filter.filters.flatMap(requirementsOf) : [filter];

/** The comparisons of a filter. */
export function comparisonsOf(filter: Filter): Comparison[] {
  if (filter.type === 'not') return comparisonsOf(filter.filter);
  return 'filters' in filter ? filter.filters.flatMap(comparisonsOf) : [filter];
}

/** Whether the document decides alone, whatever the chunk is. */
export const isOfDocument = (filter: Filter): boolean =>
  comparisonsOf(filter).every(({ key }) => readKey(key)?.of !== 'metadata');

/** What a filter requires of more than documents. */
export const restOf = (filter: Filter): Filter[] =>
  requirementsOf(filter).filter((one) => !isOfDocument(one));

/** Whether chunks of documents that pass may not pass themselves. */
export const hasRest = (filter: Filter): boolean => restOf(filter).length > 0;
