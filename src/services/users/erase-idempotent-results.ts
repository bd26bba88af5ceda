import { sql } from 'kysely';
import type { Rows, StepResult } from './place.js';

/** The user for whom a call was made: what follows the id of the key. */
export const IDEMPOTENT_CALLER = sql`nullif(substr(t.caller, strpos(t.caller, ' ') + 1), t.caller)`;

/** The fields of results that name users. */
const FIELDS = [
  'userId',
  'createdBy',
  'updatedBy',
  'createdByName',
  'updatedByName',
  'assignmentId',
  'feedbackBy',
  'reviewedBy',
  'legalHoldBy',
];

/** Deletes stored results of calls that the user has made, and others that name the user. */
export async function eraseIdempotentResults({ tx, userId, isOne }: Rows): Promise<StepResult> {
  const values = serializedForms(userId);
  const parts = FIELDS.flatMap((field) => values.map((value) => Buffer.concat([oneByte(field), value])));
  const isPart = parts.map((part) => sql`position(${part}::bytea in t.result) > 0`);
  const { numAffectedRows } = await sql`
    delete from idempotency_keys as t
    where ${isOne} and (${IDEMPOTENT_CALLER} = ${userId} or ${sql.join(isPart, sql` or `)})
  `.execute(tx);
  return { erased: { idempotentResults: Number(numAffectedRows) } };
}

/** A string as `v8.serialize` writes it: of bytes where it can be, or of pairs of bytes, which may follow one to align them. */
function serializedForms(value: string): Buffer[] {
  const pairs = Buffer.from(value, 'utf16le');
  const twoBytes = Buffer.concat([Buffer.from('c'), toVarint(pairs.length), pairs]);
  const forms = [twoBytes, Buffer.concat([Buffer.of(0), twoBytes])];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are characters of one byte
  return /^[\u0000-\u00ff]*$/.test(value) ? [oneByte(value), ...forms] : forms;
}

const oneByte = (value: string): Buffer =>
  Buffer.concat([Buffer.from('"'), toVarint(value.length), Buffer.from(value, 'latin1')]);

/** Seven bits in each byte, the lowest first. */
function toVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
