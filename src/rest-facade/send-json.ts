import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { textJsonParts } from '../async/text-parts.js';

/** Of a part, at least; only the last is shorter. */
const PART_CHARACTERS = 1_000_000;
/** Of a text that is not cut. */
const SHORT_CHARACTERS = 10_000;

/** Answers JSON as `res.json` does, but a long answer in steps. */
export const sendJson = (res: Response, data: unknown): Promise<void> => sendJsonParts(res, jsonParts(data));

/** Answers JSON that is made in parts: each is encoded in a turn of the event loop of its own, where there are several. */
export async function sendJsonParts(res: Response, parts: Iterable<string>): Promise<void> {
  const encoded: Buffer[] = [];
  res.type('json');
  for (const part of parts) {
    if (encoded.length === 0 && part.length < PART_CHARACTERS) return void res.send(part);
    encoded.push(Buffer.from(part));
    await setImmediate();
  }
  res.send(Buffer.concat(encoded));
}

/** JSON in parts: lists are cut between their items, texts anywhere. */
export const jsonParts = (data: unknown): Generator<string, void> => joinPieces(jsonPieces(data));

/** Joins pieces of JSON into parts. */
export function* joinPieces(pieces: Iterable<string>): Generator<string, void> {
  let part = '';
  for (const piece of pieces) {
    part += piece;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = '';
  }
  yield part;
}

export function* jsonPieces(data: unknown): Generator<string, void> {
  if (Array.isArray(data)) yield* listPieces(data);
  else if (typeof data === 'object' && data !== null) yield* objectPieces(data);
  else yield JSON.stringify(data) ?? '';
}

function* objectPieces(object: object): Generator<string, void> {
  if (Object.values(object).every(isShort)) return yield JSON.stringify(object);
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (typeof value === 'string') yield* textJsonParts(value);
    else if (Array.isArray(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Most values of records: what is left is cut. */
const isShort = (value: unknown): boolean =>
  typeof value === 'string' ? value.length < SHORT_CHARACTERS : !Array.isArray(value);

function* listPieces(list: unknown[]): Generator<string, void> {
  let before = '[';
  for (const item of list) {
    yield before + JSON.stringify(item ?? null);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
