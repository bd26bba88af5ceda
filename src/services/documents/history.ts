import { type SqlBool, sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { redactAuditEvent } from '../audit/redact-event.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import type { TenantScope } from '../shared/tenant-scope.js';
import type { DocumentEvent, HistoryFilter } from './history.schema.js';
import { documentNotFound, visibleDatasets, withinDatasets } from './rows.js';

interface DocumentHistoryDependencies {
  db: Database;
  maxPageSize: number;
}

/** What became of documents, from the audit log. */
export function createDocumentHistory({ db, maxPageSize }: DocumentHistoryDependencies) {
  return { history };

  /** Newest first, for keys that may read the document. Fields that they may not read are redacted. */
  async function history(filter: HistoryFilter, access?: KeyAccess): Promise<Page<DocumentEvent>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    // One snapshot: meanwhile the document may leave the key's reach.
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return snapshot.execute((tx) => readHistory(tx, filter, access));
  }

  async function readHistory(db: Queryable, filter: HistoryFilter, access?: KeyAccess) {
    const { scope, documentId } = filter;
    const { tenantId } = await db
      .selectFrom('documents')
      .select('tenantId')
      .where(withinDatasets(scope))
      .where('id', '=', documentId)
      .executeTakeFirstOrThrow(documentNotFound);
    const ofTenant = db.selectFrom('auditEvents').where('tenantId', '=', tenantId);
    // An earlier document may have had the same id, in a unit or dataset that the key does not reach.
    const { deletion } = await ofTenant
      .where('subjectId', '=', documentId)
      .where('action', 'in', ['documents.delete', 'documents.deleteMany'])
      .select((eb) => eb.fn.max('id').as('deletion'))
      .executeTakeFirstOrThrow();
    const { datasetIds: reach }: TenantScope = scope;
    // Before it was moved into the key's datasets it was none of its business.
    const { arrival } = reach
      ? await ofTenant
          .where('subjectType', '=', 'document')
          .where('subjectId', '=', documentId)
          .where(sql<SqlBool>`jsonb_typeof(before -> 'datasetIds') = 'array'`)
          .where(sql<SqlBool>`not (before -> 'datasetIds' ?| ${reach}::text[])`)
          .select((eb) => eb.fn.max('id').as('arrival'))
          .executeTakeFirstOrThrow()
      : { arrival: null };
    const first = Math.max((deletion ?? -1) + 1, arrival ?? 0);
    // Two parts, each in the order of an index.
    const events = ofTenant
      .where('id', '>=', first)
      .where('subjectType', '=', 'document')
      .where('subjectId', '=', documentId)
      .selectAll()
      .unionAll(ofTenant.where('id', '>=', first).where('parentId', '=', documentId).selectAll());
    const { count } = await db
      .selectFrom(events.as('event'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const rows = await events
      .orderBy(sql`id`, 'desc')
      .limit(filter.pageSize)
      .offset(offsetOf(filter))
      .execute();
    return toPage(
      filter,
      rows.map((row) => {
        const event = redactAuditEvent(row, access);
        const before = row.id === arrival ? null : visible(event.before, scope);
        return { ...event, before, after: visible(event.after, scope) };
      }),
      count,
    );
  }
}

/** Without the datasets that the key does not reach. */
function visible(fields: Record<string, unknown> | null, scope: TenantScope): Record<string, unknown> | null {
  if (!Array.isArray(fields?.datasetIds)) return fields;
  return { ...fields, datasetIds: visibleDatasets(fields.datasetIds, scope) };
}
