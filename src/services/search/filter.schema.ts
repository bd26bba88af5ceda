import { z } from 'zod';
import { type Comparison, type Filter, isTime, readKey } from '../../search/filter/filter.js';
import { boundedArray, text } from '../shared/fields.schema.js';

export const MAX_FILTER_DEPTH = 6;
export const MAX_FILTER_PARTS = 50;
/** Of all comparisons together. */
export const MAX_FILTER_VALUES = 500;
const MAX_KEY_LENGTH = 300;
export const MAX_FILTER_VALUE_LENGTH = 2_048;

const key = text(MAX_KEY_LENGTH).refine(
  (name) => readKey(name) !== undefined,
  'must be document.id, externalId, type, name, url, urlPrefix, createdTime or updatedTime, customProperties.NAME or metadata.NAME',
);
const ordered = z.union([text(MAX_FILTER_VALUE_LENGTH), z.number()], 'must be a string or a number');
const value = z.union(
  [text(MAX_FILTER_VALUE_LENGTH), z.number(), z.boolean()],
  'must be a string, number or boolean',
);
const values = boundedArray(value, MAX_FILTER_VALUES, 1);

const comparison = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['eq', 'ne', 'contains']), key, value }),
    z.strictObject({ type: z.enum(['in', 'nin']), key, value: values }),
    z.strictObject({ type: z.enum(['gt', 'gte', 'lt', 'lte']), key, value: ordered }),
    z.strictObject({ type: z.literal('exists'), key, value: z.boolean().default(true) }),
  ])
  .superRefine(checkValue);

/** What belongs to a document has fixed types. */
function checkValue(one: Comparison, context: z.core.$RefinementCtx): void {
  const read = readKey(one.key);
  if (read?.of !== 'document' || one.type === 'exists') return;
  const add = (message: string, ...path: (string | number)[]) =>
    context.addIssue({ code: 'custom', message, path });
  if (read.name === 'urlPrefix' && !['eq', 'ne', 'in', 'nin'].includes(one.type)) {
    add('must be eq, ne, in, nin or exists for this key', 'type');
    return;
  }
  if (isTime(read) && one.type === 'contains') {
    add('must not be contains for a time', 'type');
    return;
  }
  for (const [place, each] of [one.value].flat().entries()) {
    const path = Array.isArray(one.value) ? ['value', place] : ['value'];
    if (typeof each !== 'string') add('must be a string for this key', ...path);
    else if (isTime(read) && !time.safeParse(each).success) add('must be an ISO 8601 time', ...path);
  }
}

const time = z.iso.datetime({ offset: true });

const tree: z.ZodType<Filter> = z
  .lazy(() =>
    z.discriminatedUnion('type', [
      comparison,
      z.strictObject({ type: z.enum(['and', 'or']), filters: boundedArray(tree, MAX_FILTER_PARTS, 1) }),
      z.strictObject({ type: z.literal('not'), filter: tree }),
    ] as never),
  )
  .meta({ id: 'Filter' });

/** Which chunks a search may find. Its size is checked before its parts. */
export const filter = z.preprocess((given, context) => {
  const message = sizeFault(given);
  if (message === undefined) return given;
  context.addIssue({ code: 'custom', message, input: given });
  return z.NEVER;
}, tree) as unknown as z.ZodType<Filter, FilterInput>;

/** As it is given: `exists` without a value is true. */
export type FilterInput =
  | Exclude<Comparison, { type: 'exists' }>
  | { type: 'exists'; key: string; value?: boolean | undefined }
  | { type: 'and' | 'or'; filters: FilterInput[] }
  | { type: 'not'; filter: FilterInput };

function sizeFault(given: unknown): string | undefined {
  let [parts, values] = [0, 0];
  let level = [given];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_FILTER_DEPTH) return `must not be nested deeper than ${MAX_FILTER_DEPTH}`;
    const below: unknown[] = [];
    for (const one of level) {
      const { filters, filter: inner, value } = (one ?? {}) as Record<string, unknown>;
      parts++;
      if (Array.isArray(value)) values += value.length;
      if (parts > MAX_FILTER_PARTS) return `must have at most ${MAX_FILTER_PARTS} parts`;
      if (values > MAX_FILTER_VALUES) return `must have at most ${MAX_FILTER_VALUES} values`;
      if (Array.isArray(filters)) for (const part of filters.slice(0, MAX_FILTER_PARTS + 1)) below.push(part);
      if (inner !== undefined) below.push(inner);
    }
    level = below;
  }
  return undefined;
}
