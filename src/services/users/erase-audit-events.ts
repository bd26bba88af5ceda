import { sql } from 'kysely';
import type { Rows, StepResult } from './place.js';

/** Fields of what an event has changed that may name a user; `erase_from_json` in the database has the same. */
const FIELDS = ['assignmentId', 'userId', 'createdBy', 'updatedBy'];
/** Events of a statement. */
const BATCH = 1_000;

/** Puts the pseudonym in place of the user in the audit log. */
export async function eraseAuditEvents(rows: Rows): Promise<StepResult> {
  const { tx, userId, isOne } = rows;
  const isNamed = FIELDS.flatMap((field) =>
    ['before', 'after'].map((column) => sql`t.${sql.ref(column)} ->> ${sql.lit(field)} = ${userId}`),
  );
  const found = await sql<{ id: number }>`
    select t.id from audit_events as t
    where ${isOne} and (t.user_id = ${userId} or ${sql.join(isNamed, sql` or `)})
  `.execute(tx);
  const ids = found.rows.map(({ id }) => id);
  await replaceEvents(rows, ids, { removesTopics: false });
  return { erased: { auditEvents: ids.length } };
}

/** Removes the topics of conversations from the audit log. @returns from how many events */
export async function removeTopics(rows: Rows, conversationIds: string[]): Promise<number> {
  for (let count = 0; ; ) {
    const found = await sql<{ id: number }>`
      select id from audit_events
      where tenant_id = ${rows.tenantId} and subject_id = any(${conversationIds}::text[])
        and subject_type = 'conversation' and (before ->> 'topic' is not null or after ->> 'topic' is not null)
      limit ${BATCH}
    `.execute(rows.tx);
    if (found.rows.length === 0) return count;
    count += found.rows.length;
    await replaceEvents(
      rows,
      found.rows.map(({ id }) => id),
      { removesTopics: true },
    );
  }
}

/** By the only function that may, which records it. */
async function replaceEvents(
  { tx, tenantId, userId, pseudonym }: Rows,
  ids: number[],
  { removesTopics }: { removesTopics: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    select erase_from_audit(${tenantId}, ${userId}, ${pseudonym}, ${ids}::bigint[], ${removesTopics})
  `.execute(tx);
}
