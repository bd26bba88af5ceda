import { z } from 'zod';
import { jsonObject, lengthFirst } from '../routers/index.js';
import { hasFewValues } from './json-values.js';

/** Long enough for every id that a list may hold. */
const MAX_LENGTH = 512 * 1024;
const MAX_FIELDS = 1_000;

// What is published says as much of these texts as a regular expression can.
const STRING = String.raw`"([^"\\\u0000-\u001f]|\\["\\/bfnrt])*"`;
const JSON_ARRAY = String.raw`\s*\[\s*(${STRING}(\s*,\s*${STRING})*)?\s*\]\s*`;
const COMMA_LIST = String.raw`\s*([^\s\[\u0000][^\u0000]*)?`;
const JSON_OBJECT = String.raw`\s*\{[^\u0000]*\}\s*`;

const textOf = (pattern: string) =>
  z
    .string()
    .max(MAX_LENGTH)
    .meta({ pattern: `^(${pattern})$` });
const listText = () => textOf(`${COMMA_LIST}|${JSON_ARRAY}`);

/** Text holding a JSON array of strings. */
export const jsonArrayText = () => textOf(JSON_ARRAY).transform(parseJsonArray);

/** Text holding a comma-separated list, or a JSON array of strings. Empty text counts as absent. */
export const optionalListText = () =>
  listText().transform((value, context) => (value.trim() === '' ? undefined : parseList(value, context)));

/** Repeated text, each possibly a comma-separated list or a JSON array of strings. */
export const listTexts = (minItems = 0) =>
  lengthFirst(z.array(listText()).min(minItems).max(MAX_FIELDS).transform(parseLists), MAX_FIELDS);

/** Text holding a JSON object. */
export const jsonObjectText = () =>
  textOf(JSON_OBJECT)
    .transform((value, context) => {
      try {
        return parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be a JSON object' });
        return z.NEVER;
      }
    })
    .pipe(jsonObject());

function parseLists(values: string[], context: z.core.$RefinementCtx): string[] {
  const length = values.reduce((sum, value) => sum + value.length, 0);
  if (length <= MAX_LENGTH) return values.flatMap((value) => parseList(value, context));
  context.addIssue({ code: 'custom', message: `must be at most ${MAX_LENGTH} characters long` });
  return [];
}

function parseList(value: string, context: z.core.$RefinementCtx): string[] {
  if (value.trim().startsWith('[')) return parseJsonArray(value, context);
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parseJsonArray(value: string, context: z.core.$RefinementCtx): string[] {
  try {
    const list: unknown = parse(value);
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  } catch {
    // Said below, as of all else that is no such list.
  }
  context.addIssue({ code: 'custom', message: 'must be a JSON array of strings' });
  return [];
}

/** @throws where it is no JSON, or so much that reading it would hold up everybody */
function parse(value: string): unknown {
  if (!hasFewValues(Buffer.from(value))) throw new Error('too many values');
  return JSON.parse(value);
}
