import { z } from 'zod';
import { parseJsonInSteps, TooManyValuesError } from '../async/parse-json.js';
import { runAtOnce } from '../async/steps.js';
import { boundedJsonRecord, MAX_JSON_VALUES, withMaxItems } from '../routers/index.js';

/** Longest list in a query string. */
const QUERY_LENGTH = 8_000;
const MAX_PARAMETERS = 100;
/** Longest list in a form field. */
const FORM_LENGTH = 512 * 1024;
const MAX_FIELDS = 1_000;

// What is published says as much of these texts as a regular expression can.
const STRING = String.raw`"([^"\\\u0000-\u001f]|\\["\\/bfnrt])*"`;
const SPACE = String.raw`[ \t\r\n]*`;
const JSON_ARRAY = `${SPACE}\\[${SPACE}(${STRING}(${SPACE},${SPACE}${STRING})*)?${SPACE}\\]${SPACE}`;
const COMMA_LIST = String.raw`\s*([^\s\[\u0000][^\u0000]*)?`;
const JSON_OBJECT = String.raw`[ \t\r\n]*\{[^\u0000]*\}[ \t\r\n]*`;

const textOf = (pattern: string, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .meta({ pattern: `^(${pattern})$` });
const listText = (maxLength: number) => textOf(`${COMMA_LIST}|${JSON_ARRAY}`, maxLength);

/** Text holding a JSON array of strings. */
export const jsonArrayText = () => textOf(JSON_ARRAY, QUERY_LENGTH).transform(parseJsonArray);

/** Text holding a comma-separated list, or a JSON array of strings. Empty text counts as absent. */
export const optionalListText = () =>
  listText(QUERY_LENGTH).transform((value, context) =>
    value.trim() === '' ? undefined : parseList(value, context),
  );

/** Repeated parameters, each possibly a comma-separated list or a JSON array of strings. */
export const listParameters = () =>
  withMaxItems(z.array(listText(QUERY_LENGTH)).max(MAX_PARAMETERS).transform(parseLists), MAX_PARAMETERS);

/** Repeated form fields, at least one of them, each possibly a comma-separated list or a JSON array of strings. */
export const listFields = () =>
  withMaxItems(z.array(listText(FORM_LENGTH)).min(1).max(MAX_FIELDS).transform(parseLists), MAX_FIELDS);

/** Text holding a JSON object. */
export const jsonObjectText = () =>
  textOf(JSON_OBJECT, FORM_LENGTH)
    .transform((value, context) => {
      try {
        return parse(value);
      } catch (error) {
        const message = error instanceof TooManyValuesError ? TOO_MANY : 'must be a JSON object';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
    })
    .pipe(boundedJsonRecord());

function parseLists(values: string[], context: z.core.$RefinementCtx): string[] {
  const length = values.reduce((sum, value) => sum + value.length, 0);
  if (length <= FORM_LENGTH) return values.flatMap((value) => parseList(value, context));
  context.addIssue({ code: 'custom', message: `must be at most ${FORM_LENGTH} characters long` });
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
    const list = parse(value);
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  } catch {
    // Reported below.
  }
  context.addIssue({ code: 'custom', message: 'must be a JSON array of strings' });
  return [];
}

/** At once: no list or object may hold as many values as a body. */
const parse = (value: string): unknown => runAtOnce(parseJsonInSteps(value, MAX_JSON_VALUES + 1));
const TOO_MANY = `must hold at most ${MAX_JSON_VALUES} values`;
