import { z } from 'zod';

const MAX_IDENTIFIER_BYTES = 255;
const MAX_JSON_DEPTH = 64;

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

/** A free-form JSON object that PostgreSQL gives back as it was. */
export const jsonObject = () =>
  z.record(z.string(), z.unknown()).superRefine((object, context) => {
    const fault = findFault(object);
    if (fault) context.addIssue({ code: 'custom', ...fault });
  });

/** Looks through a JSON value without recursion: the value comes from a stranger and may be very deep. */
function findFault(root: unknown): { message: string; path: (string | number)[] } | undefined {
  const open: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path } = item;
    if (path.length > MAX_JSON_DEPTH) return { message: `must not be nested deeper than ${MAX_JSON_DEPTH}`, path: [] };
    if (typeof value === 'string' && !isStorable(value)) return { message: UNSTORABLE, path };
    if (typeof value === 'number' && !Number.isFinite(value)) return { message: 'number out of range', path };
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return { message: `keys ${UNSTORABLE}`, path };
      open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return undefined;
}
