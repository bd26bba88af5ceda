import { z } from 'zod';
import { findJsonViolation, isStorable, MAX_JSON_VALUES, UNSTORABLE } from './json-limits.js';

/** Fits into an index entry together with tenant and unit id. */
export const MAX_IDENTIFIER_BYTES = 255;
const MAX_ITEMS = 1_000;
const MAX_TIME_LENGTH = 40;

/** In answers, a value of a stored set: one of a newer version, which runs beside this one during an upgrade, is `unknown`. */
export const storedValue = <T extends string>(values: readonly T[]) =>
  z
    .string()
    .transform((value): T | 'unknown' => values.find((known) => known === value) ?? 'unknown')
    .meta({ type: 'string', enum: [...new Set([...values, 'unknown'])] });

/**
 * Text that can be stored.
 *
 * @param maxLength most characters, counted as JSON Schema does: an emoji is one
 */
export const text = (maxLength: number) =>
  z
    .string()
    .superRefine((value, context) => {
      if (!isAtMost(value, maxLength)) {
        context.addIssue({
          code: 'too_big',
          origin: 'string',
          maximum: maxLength,
          inclusive: true,
          input: value,
          message: `must be at most ${maxLength} characters long`,
        });
      } else if (!isStorable(value)) {
        context.addIssue({ code: 'custom', message: UNSTORABLE });
      }
    })
    .meta({ maxLength, pattern: '^[^\\u0000]*$' });

/** Counts code points only if the UTF-16 length does not decide. */
function isAtMost(value: string, max: number): boolean {
  if (value.length <= max) return true;
  if (value.length > 2 * max) return false;
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > max) return false;
  }
  return true;
}

/** Non-empty text. */
export const nonEmptyText = (maxLength: number) => text(maxLength).min(1);

/** Text of an answer that may be absent. */
export const nullableText = z.string().nullable();

/** An id: its UTF-8 form must fit an index entry together with a tenant's and a unit's. */
export const identifier = (maxBytes = MAX_IDENTIFIER_BYTES) =>
  nonEmptyText(maxBytes).refine(
    (id) => Buffer.byteLength(id) <= maxBytes,
    `must be at most ${maxBytes} bytes long`,
  );

/** A filter value; unknown ones match nothing. */
export const filterValue = () => text(MAX_IDENTIFIER_BYTES);

/** An ISO 8601 timestamp. */
export const timestamp = () =>
  z.iso
    .datetime({ offset: true })
    .max(MAX_TIME_LENGTH)
    .transform((time) => new Date(time));

/** An array with a maximum length, checked before its items. */
export const boundedArray = <T extends z.ZodType>(item: T, maxItems = MAX_ITEMS, minItems = 0) =>
  withMaxItems(arrayOf(item, maxItems, minItems), maxItems);

/** A value or an array of values. */
export const valueOrArray = <T extends z.ZodType>(item: T, maxItems = MAX_ITEMS, minItems = 0) =>
  withMaxItems(z.union([item, arrayOf(item, maxItems, minItems)]), maxItems);

const arrayOf = <T extends z.ZodType>(item: T, maxItems: number, minItems: number) => {
  const array = z.array(item).max(maxItems);
  return minItems > 0 ? array.min(minItems) : array;
};

/** Checks the array length before the schema runs. */
export const withMaxItems = <T extends z.ZodType>(schema: T, maxItems: number) =>
  z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= maxItems) return value;
    context.addIssue({
      code: 'too_big',
      origin: 'array',
      maximum: maxItems,
      inclusive: true,
      input: value,
      message: `must hold at most ${maxItems} items`,
    });
    return z.NEVER;
  }, schema) as unknown as z.ZodType<z.output<T>, z.input<T>>;

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A free-form JSON object. Unlike `z.record()` it keeps a key named `__proto__` and does not traverse values.
 */
export const jsonRecord = () =>
  z
    .unknown()
    .superRefine((value, context) => {
      if (isObject(value)) return;
      context.addIssue({ code: 'invalid_type', expected: 'object', input: value, continue: false });
    })
    .meta({ type: 'object', additionalProperties: {} }) as unknown as z.ZodType<
    Record<string, unknown>,
    Record<string, unknown>
  >;

/** A free-form JSON object within size limits that PostgreSQL can store losslessly. */
export const boundedJsonRecord = () =>
  jsonRecord()
    .superRefine((object, context) => {
      const fault = findJsonViolation(object);
      if (fault) context.addIssue({ code: 'custom', ...fault });
    })
    .meta({ maxProperties: MAX_JSON_VALUES });
