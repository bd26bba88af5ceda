import { appendFileSync } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';

/* Before tests on a cluster: remembers the first execution of each statement, for `check-routes.ts`. */

export interface Recorded {
  text: string;
  /** Of its parameters, in SQL. */
  values: string[];
}

/** Migrations send several at once. */
const IS_ONE = /^\s*(?:select|with|insert|update|delete)\b[^;]*;?\s*$/i;

const seen = new Set<string>();
const { query } = pg.Client.prototype;
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils;

pg.Client.prototype.query = function recorded(this: pg.Client, ...given: any[]): any {
  const [first, second] = given;
  const text = typeof first === 'string' ? first : first?.text;
  if (typeof text === 'string' && !seen.has(text) && IS_ONE.test(text)) {
    seen.add(text);
    const values: unknown[] = (Array.isArray(second) ? second : first.values) ?? [];
    const statement: Recorded = { text, values: values.map(toLiteral) };
    appendFileSync(inject('statements'), `${JSON.stringify(statement)}\n`);
  }
  return query.apply(this, given as never);
};

function toLiteral(value: unknown): string {
  const prepared = prepareValue(value);
  if (prepared === null) return 'null';
  return pg.escapeLiteral(Buffer.isBuffer(prepared) ? `\\x${prepared.toString('hex')}` : prepared);
}
