import type { Queryable } from '../../../db/schema.js';
import { emitEvents, toDocumentEvent } from '../../webhook-delivery/events.js';
import { auditWrites, changedFields } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import type { DocumentRow } from './rows.js';

type AuditedDocument = Pick<
  DocumentRow,
  | 'id'
  | 'tenantId'
  | 'tenantUnitId'
  | 'documentName'
  | 'externalId'
  | 'documentType'
  | 'title'
  | 'category'
  | 'storageBucket'
  | 'storagePath'
  | 'url'
  | 'customProperties'
  | 'chunking'
  | 'extraction'
  | 'enabled'
  | 'status'
  | 'source'
  | 'revision'
  | 'chunkCount'
  | 'error'
  | 'datasetIds'
>;

/** The audited fields of a document. */
const auditedFields = (row: AuditedDocument) => ({
  documentName: row.documentName,
  externalId: row.externalId,
  documentType: row.documentType,
  title: row.title,
  category: row.category,
  source: row.source,
  storageBucket: row.storageBucket,
  storagePath: row.storagePath,
  url: withoutSecrets(row.url),
  customProperties: row.customProperties,
  chunking: row.chunking,
  extraction: row.extraction,
  enabled: row.enabled,
  status: row.status,
  datasetIds: row.datasetIds,
  /** Changes with a new source or reprocessing. */
  revision: row.revision,
});

/** URLs often contain credentials, as user info or signed query. */
function withoutSecrets(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

type Created = AuditedDocument[];
type Change = { before: AuditedDocument; after: AuditedDocument };

/** Audits created documents of one tenant and emits their events. */
export async function auditAndEmitCreated(
  tx: Queryable,
  actor: Actor,
  action: string,
  rows: Created,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const entries = rows.map((row) => ({ ...auditTargetOf(row), action, after: auditedFields(row) }));
  await auditWrites(tx, first.tenantId, actor, entries);
  await emitEvents(
    tx,
    first.tenantId,
    rows.map((row) => toDocumentEvent('document.created', row)),
  );
}

/** Audits changed documents of one tenant. */
export async function auditDocumentChanges(
  tx: Queryable,
  actor: Actor,
  action: string,
  ...changes: Change[]
): Promise<void> {
  const entries = changes.map(({ before, after }) => ({
    ...auditTargetOf(after),
    action,
    ...changedFields(auditedFields(before), auditedFields(after)),
  }));
  await auditWrites(tx, changes[0]?.after.tenantId ?? '', actor, entries);
}

/** Audits deleted documents of one tenant and emits their events. */
export async function auditAndEmitDeleted(
  tx: Queryable,
  actor: Actor,
  action: string,
  ...rows: AuditedDocument[]
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const entries = rows.map((row) => ({ ...auditTargetOf(row), action, before: auditedFields(row) }));
  await auditWrites(tx, first.tenantId, actor, entries);
  await emitEvents(
    tx,
    first.tenantId,
    rows.map((row) => toDocumentEvent('document.deleted', row)),
  );
}

const auditTargetOf = ({ tenantUnitId, id }: AuditedDocument) => ({
  tenantUnitId,
  subject: { type: 'document' as const, id },
});
