import { z } from 'zod';

const MAX_IDENTIFIER_BYTES = 255;
const MAX_JSON_DEPTH = 64;
const MAX_ITEMS = 1_000;

// PostgreSQL can store neither NUL nor half a surrogate pair.
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
const UNSTORABLE = 'must not contain NUL characters or unpaired surrogates';

/** Any text that can be stored. */
export const text = () => z.string().refine(isStorable, UNSTORABLE);

/** Text of at least one character, such as a name that somebody looks for. */
export const filledText = () => text().min(1);

/** An id that gets stored: its UTF-8 form must fit an index entry together with a tenant's and a unit's. */
export const identifier = (maxBytes = MAX_IDENTIFIER_BYTES) =>
  filledText().refine((id) => Buffer.byteLength(id) <= maxBytes, `must be at most ${maxBytes} bytes long`);

/** A time, as text so that JSON clients can send it. */
export const timeText = () => z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A list whose length is looked at first: of one far too long nobody wants to be told of every item. */
export const listOf = <T extends z.ZodType>(item: T, maxItems = MAX_ITEMS) =>
  z
    .custom<z.input<T>[]>(
      (value) => !Array.isArray(value) || value.length <= maxItems,
      `must hold at most ${maxItems} items`,
    )
    .pipe(z.array(item));

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A free-form JSON object. Unlike `z.record()` it keeps a key named `__proto__`. */
export const freeObject = () =>
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

/** A free-form JSON object that PostgreSQL gives back as it was. */
export const jsonObject = () =>
  freeObject().superRefine((object, context) => {
    const fault = findFault(object);
    if (fault) context.addIssue({ code: 'custom', ...fault });
  });

/** Looks through a JSON value without recursion: it comes from a stranger, and may be very deep or very wide. */
function findFault(root: object): { message: string; path: (string | number)[] } | undefined {
  const path: (string | number)[] = [];
  const open = [entriesOf(root)];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: entry } = inner.next();
    if (done) {
      open.pop();
      path.pop();
      continue;
    }
    const [key, value] = entry;
    if (typeof key === 'string' && !isStorable(key)) return { message: `keys ${UNSTORABLE}`, path };
    if (typeof value === 'string' && !isStorable(value)) return { message: UNSTORABLE, path: [...path, key] };
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return { message: 'number out of range', path: [...path, key] };
    }
    if (typeof value !== 'object' || value === null) continue;
    if (open.length === MAX_JSON_DEPTH) {
      return { message: `must not be nested deeper than ${MAX_JSON_DEPTH}`, path: [] };
    }
    path.push(key);
    open.push(entriesOf(value));
  }
  return undefined;
}

function* entriesOf(value: object): Generator<[string | number, unknown], undefined> {
  if (Array.isArray(value)) yield* value.entries();
  else for (const key of Object.keys(value)) yield [key, (value as Record<string, unknown>)[key]];
}
