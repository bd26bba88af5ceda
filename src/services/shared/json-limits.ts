/** Limits of a free-form JSON object. */
export const MAX_JSON_VALUES = 10_000;
export const MAX_JSON_BYTES = 256 * 1024;
export const MAX_JSON_DEPTH = 64;

export const UNSTORABLE = 'must not contain NUL characters or unpaired surrogates';

/** PostgreSQL can store neither NUL nor half a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

interface JsonViolation {
  message: string;
  path: (string | number)[];
}

const tooLarge = { message: `must be at most ${MAX_JSON_BYTES} bytes of JSON`, path: [] };

/** Finds the first violation in untrusted JSON. Iterative, and stops at the limits. */
export function findJsonViolation(root: object): JsonViolation | undefined {
  const path: (string | number)[] = [];
  const open = [entriesOf(root)];
  let [values, characters] = [0, 0];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: entry } = inner.next();
    if (done) {
      open.pop();
      path.pop();
      continue;
    }
    const [key, value] = entry;
    values += 1;
    if (values > MAX_JSON_VALUES) return { message: `must hold at most ${MAX_JSON_VALUES} values`, path: [] };
    characters += lengthOf(key) + lengthOf(value);
    if (characters > MAX_JSON_BYTES) return tooLarge;
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
  return Buffer.byteLength(JSON.stringify(root)) > MAX_JSON_BYTES ? tooLarge : undefined;
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

function* entriesOf(value: object): Generator<[string | number, unknown], undefined> {
  if (Array.isArray(value)) yield* value.entries();
  else for (const key of Object.keys(value)) yield [key, (value as Record<string, unknown>)[key]];
}
