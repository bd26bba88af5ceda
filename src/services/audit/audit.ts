import type { AuditSubjectType } from '../../../db/enums.js';
import { insertBatches } from '../../../db/insert-batches.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { whereDefined } from '../../../db/where-defined.js';
import type { KeyAccess } from '../../auth/permissions.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { AuditEvent, AuditFilter } from './audit.schema.js';
import { redactAuditEvent } from './redact-event.js';

/** An audit log entry: small fields, never secrets or document text. */
export interface AuditEntry {
  /** Such as `documents.update`. */
  action: string;
  subject: { type: AuditSubjectType; id: string };
  /** Of a chunk: its document. */
  parentId?: string | undefined;
  tenantUnitId: string | null;
  before?: object | undefined;
  after?: object | undefined;
}

const MAX_TEXT = 256;
const MAX_JSON = 1_024;
const OMITTED = '(too large to be kept)';

/** Writes audit log entries in the transaction of the change. */
export async function auditWrites(
  tx: Queryable,
  tenantId: string,
  actor: Actor,
  entries: AuditEntry[],
): Promise<void> {
  for (const batch of insertBatches(entries)) {
    await tx
      .insertInto('auditEvents')
      .values(
        batch.map(({ action, subject, parentId, tenantUnitId, before, after }) => ({
          tenantId,
          tenantUnitId,
          action,
          subjectType: subject.type,
          subjectId: subject.id,
          parentId: parentId ?? null,
          keyId: actor.keyId ?? null,
          userId: actor.userId ?? null,
          userIssuer: actor.userIssuer ?? null,
          userName: actor.userName ?? null,
          address: actor.address ?? null,
          requestId: actor.requestId ?? null,
          before: before ? toSmallJson(before) : null,
          after: after ? toSmallJson(after) : null,
        })),
      )
      .execute();
  }
}

/** The changed fields, before and after. */
export function changedFields<T extends object>(before: T, after: T): { before: object; after: object } {
  const changed = (Object.keys(after) as (keyof T)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const pick = (from: T) => Object.fromEntries(changed.map((field) => [field, from[field] ?? null]));
  return { before: pick(before), after: pick(after) };
}

const toSmallJson = (fields: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toSmall(value)])));

function toSmall(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…`.toWellFormed() : value;
  return isTooLong(value) ? OMITTED : value;
}

/** Whether its JSON is too long to be kept. Of what certainly is, little is made. */
function isTooLong(value: unknown): boolean {
  let least = 0;
  const json = JSON.stringify(value ?? null, (_name, field) => {
    least += typeof field === 'string' ? field.length : 1;
    return least > MAX_JSON ? undefined : field;
  });
  return least > MAX_JSON || json.length > MAX_JSON;
}

export interface AuditDependencies {
  db: Database;
  maxPageSize: number;
}

export type Audit = ReturnType<typeof createAudit>;

/** The audit log of a tenant. */
export function createAudit({ db, maxPageSize }: AuditDependencies) {
  return { list };

  /** Newest first. Fields that the key may not read are redacted. */
  async function list(filter: AuditFilter, access?: KeyAccess): Promise<Page<AuditEvent>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { scope, action, subjectId, keyId, userId, since, until } = filter;
    const matching = db
      .selectFrom('auditEvents')
      .where(withinTenant(scope))
      .$call(whereDefined(action, (q, name) => q.where('action', '=', name)))
      .$call(whereDefined(subjectId, (q, id) => q.where('subjectId', '=', id)))
      .$call(whereDefined(keyId, (q, id) => q.where('keyId', '=', id)))
      .$call(whereDefined(userId, (q, id) => q.where('userId', '=', id)))
      .$call(whereDefined(since, (q, time) => q.where('time', '>=', time)))
      .$call(whereDefined(until, (q, time) => q.where('time', '<', time)));
    const [{ count }, items] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching.selectAll().orderBy('id', 'desc').limit(filter.pageSize).offset(offsetOf(filter)).execute(),
    ]);
    return toPage(
      filter,
      items.map((event) => redactAuditEvent(event, access)),
      count,
    );
  }
}
