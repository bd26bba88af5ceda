import type { Queryable } from '../../db/schema.js';
import type { Actor } from './actor.js';

/** What is told of a write: small fields, never secrets, never text of documents. */
export interface AuditEntry {
  /** Such as `documents.update`. */
  action: string;
  subject: { type: string; id: string };
  tenantUnitId: string | null;
  before?: object | undefined;
  after?: object | undefined;
}

/** Rows of one statement. */
const BATCH = 1_000;

/** Writes down who did what, in the transaction that does it. */
export async function recordWrites(
  tx: Queryable,
  tenantId: string,
  actor: Actor,
  entries: AuditEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += BATCH) {
    await tx
      .insertInto('auditEvents')
      .values(
        entries.slice(start, start + BATCH).map(({ action, subject, tenantUnitId, before, after }) => ({
          tenantId,
          tenantUnitId,
          action,
          subjectType: subject.type,
          subjectId: subject.id,
          keyId: actor.keyId ?? null,
          userId: actor.userId ?? null,
          address: actor.address ?? null,
          requestId: actor.requestId ?? null,
          before: before ? JSON.stringify(before) : null,
          after: after ? JSON.stringify(after) : null,
        })),
      )
      .execute();
  }
}
