import { z } from 'zod';
import { invalid } from '../../errors/errors.js';
import { type Api, boundedArray, text } from '../../routers/index.js';

export type Filter = NonNullable<Parameters<Api['chunks']['search']>[0]['filter']>;

const MAX_CONDITIONS = 50;
const MAX_NAMES = 20;
const MAX_VALUES = 500;
const MAX_NAME_LENGTH = 300;
const MAX_VALUE_LENGTH = 2_048;

const name = text(MAX_NAME_LENGTH);
const value = z.union([text(MAX_VALUE_LENGTH), z.number(), z.boolean()]);
const condition = z.object({
  name: z.union([name, boundedArray(name, MAX_NAMES, 1)]),
  comparison_operator: text(100),
  value: z.union([value, boundedArray(value, MAX_VALUES)]).nullish(),
});
type Condition = z.output<typeof condition>;

/** Before each value is looked at. */
const conditions = z
  .unknown()
  .refine((given) => countValues(given) <= MAX_VALUES, `must have at most ${MAX_VALUES} values`)
  .pipe(boundedArray(condition, MAX_CONDITIONS));

export const metadataCondition = z.object({
  logical_operator: z.enum(['and', 'or']).nullish(),
  conditions: conditions.nullish(),
});

const countValues = (given: unknown): number =>
  Array.isArray(given)
    ? given.reduce((sum, one) => sum + (Array.isArray(one?.value) ? one.value.length : 0), 0)
    : 0;

/**
 * A filter for what Dify calls a metadata condition; undefined without conditions. With several names a condition holds where
 * it does for any of them, and its opposite where it does for none.
 *
 * @throws DomainError `invalid` naming the operator that has no exact filter
 */
export function toFilter({
  logical_operator,
  conditions,
}: z.output<typeof metadataCondition>): Filter | undefined {
  if (!conditions || conditions.length === 0) return undefined;
  return { type: logical_operator ?? 'and', filters: conditions.map(readCondition) };
}

function readCondition(one: Condition, place: number): Filter {
  const read = OPERATORS.get(one.comparison_operator);
  const fail: Fail = (why) => {
    throw invalid(`"${one.comparison_operator}" ${why}`, ['filter', 'filters', place]);
  };
  if (!read) return fail('is not an operator of the External Knowledge API.');
  const asked = { value: one.value ?? undefined, fail };
  const filters = [one.name].flat().map((key) => read.holds({ ...asked, key }));
  const any: Filter = filters.length === 1 ? (filters[0] as Filter) : { type: 'or', filters };
  return read.isNegated ? { type: 'not', filter: any } : any;
}

type Fail = (why: string) => never;
type Value = z.output<typeof value>;

interface Asked {
  key: string;
  value: Value | Value[] | undefined;
  fail: Fail;
}

interface Operator {
  holds: (asked: Asked) => Filter;
  /** Whether it is the opposite of what `holds` says. */
  isNegated?: true;
}

const not = ({ holds }: Operator): Operator => ({ holds, isNegated: true });

const contains: Operator = {
  holds: (asked) => ({ type: 'contains', key: asked.key, value: single(asked) }),
};
const is: Operator = { holds: (asked) => ({ type: 'eq', key: asked.key, value: single(asked) }) };
const isIn: Operator = {
  holds: ({ key, value, fail }) => ({
    type: 'in',
    key,
    value: Array.isArray(value) ? value : fail('takes a list of values.'),
  }),
};
/** Nothing, null or no text. */
const isNotEmpty: Operator = {
  holds: ({ key }) => ({
    type: 'and',
    filters: [
      { type: 'exists', key },
      { type: 'not', filter: { type: 'eq', key, value: '' } },
    ],
  }),
};
const equals: Operator = { holds: (asked) => ({ type: 'eq', key: asked.key, value: number(asked) }) };
const compares = (type: 'gt' | 'gte' | 'lt' | 'lte'): Operator => ({
  holds: (asked) => ({ type, key: asked.key, value: number(asked) }),
});
const comparesTime = (type: 'gt' | 'lt'): Operator => ({
  holds: (asked) => ({ type, key: asked.key, value: time(asked) }),
});

const OPERATORS = new Map<string, Operator>([
  ['contains', contains],
  ['not contains', not(contains)],
  ['start with', { holds: startsWith }],
  ['end with', { holds: ({ fail }) => fail('is not supported: there is no exact filter for it.') }],
  ['is', is],
  ['is not', not(is)],
  ['in', isIn],
  ['not in', not(isIn)],
  ['empty', not(isNotEmpty)],
  ['not empty', isNotEmpty],
  ['=', equals],
  ['≠', not(equals)],
  ['>', compares('gt')],
  ['<', compares('lt')],
  ['≥', compares('gte')],
  ['≤', compares('lte')],
  ['before', comparesTime('lt')],
  ['after', comparesTime('gt')],
]);

const single = ({ value, fail }: Asked): Value =>
  value === undefined || Array.isArray(value) ? fail('takes one value.') : value;

/** Fields of Dify give numbers as text, too. */
function number({ value, fail }: Asked): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : fail('compares numbers.');
}

/** The texts with a prefix are those from it up to the next text that has another. */
function startsWith({ key, value, fail }: Asked): Filter {
  if (typeof value !== 'string') return fail('takes a text.');
  if (key === 'document.url') return { type: 'eq', key: 'document.urlPrefix', value };
  const end = afterPrefix(value);
  const from: Filter = { type: 'gte', key, value };
  return end === undefined ? from : { type: 'and', filters: [from, { type: 'lt', key, value: end }] };
}

/** By code points, as PostgreSQL compares texts in JSON. */
function afterPrefix(prefix: string): string | undefined {
  const characters = [...prefix];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = (last.codePointAt(0) as number) + 1;
    // Halves of characters are none.
    if (next <= 0x10ffff) return characters.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return undefined;
}

/** Times of the document are known as such; in custom properties, numbers can be compared as times, but not texts. */
function time({ key, value, fail }: Asked): string | number {
  const isNumber = typeof value === 'number';
  if (!/^document\.(createdTime|updatedTime)$/.test(key)) {
    return isNumber
      ? value
      : fail(
          'takes a number, such as Unix time, for a custom property. Only document.createdTime and document.updatedTime are times.',
        );
  }
  const read = new Date(isNumber ? value * 1000 : typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(read.getTime()) ? fail('takes an ISO 8601 time or Unix time.') : read.toISOString();
}
