import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Rows, StepResult } from './place.js';

export interface Names {
  /** Which may have the id of a user. */
  columns: readonly string[];
  /** What that user has written: it goes with the name. */
  text?: string;
  /** The column with the conversation that a row belongs to. */
  conversationId?: string;
}

/** Takes the name of a user out of rows that stay. */
export async function eraseNames(rows: Rows, table: string, names: Names): Promise<StepResult> {
  const { tx, userId, isOne } = rows;
  const { columns, text, conversationId } = names;
  const isNamed = sql<SqlBool>`(${sql.join(
    columns.map((name) => sql`t.${sql.ref(name)} = ${userId}`),
    sql` or `,
  )})`;
  const values = columns.map((name) => sql`${sql.ref(name)} = nullif(t.${sql.ref(name)}, ${userId})`);
  if (text !== undefined) values.push(sql`${sql.ref(text)} = null`);
  const isFree = conversationId === undefined ? sql`true` : sql`not ${isHeld(rows, conversationId)}`;
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} as t set ${sql.join(values)} where ${isOne} and ${isNamed} and ${isFree}
  `.execute(tx);
  return { erased: { names: Number(numAffectedRows) } };
}

/** Condition: a row of the alias `t` belongs to a conversation under a legal hold. */
export const isHeld = ({ tenantId }: Rows, conversationId: string): RawBuilder<SqlBool> => sql<SqlBool>`
  exists (
    select from conversations as c
    where c.tenant_id = ${tenantId} and c.id = t.${sql.ref(conversationId)} and c.legal_hold_time is not null)`;
