import { createHash } from 'node:crypto';
import { runYielding, type Steps } from '../async/steps.js';
import { textJsonParts } from '../async/text-parts.js';

const CHARACTERS_OF_STEP = 100_000;

/** A hash of a call, the same for the same input whatever the order of its fields. */
export const fingerprintOf = (path: string, input: unknown): Promise<Buffer> =>
  runYielding(fingerprintInSteps(path, input));

export function* fingerprintInSteps(path: string, input: unknown): Steps<Buffer> {
  const hash = createHash('sha256').update(path).update('\0');
  let json = '';
  for (const part of canonicalJson(input)) {
    json += part;
    if (json.length < CHARACTERS_OF_STEP) continue;
    hash.update(json);
    json = '';
    yield;
  }
  return hash.update(json).digest();
}

/** JSON with sorted keys, in parts. */
function* canonicalJson(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield* textJsonParts(value);
  else if (Array.isArray(value)) yield* listJson(value);
  else if (typeof value === 'object' && value !== null && !(value instanceof Date)) yield* objectJson(value);
  else yield JSON.stringify(value) ?? '';
}

function* listJson(list: unknown[]): Generator<string, void> {
  let before = '[';
  for (const item of list) {
    yield before;
    yield* canonicalJson(item ?? null);
    before = ',';
  }
  yield list.length > 0 ? ']' : '[]';
}

function* objectJson(object: object): Generator<string, void> {
  const sorted = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  let before = '{';
  // As an object has them: numbers first. Fingerprints are compared with those of earlier versions.
  for (const [key, value] of Object.entries(Object.fromEntries(sorted))) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* canonicalJson(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
