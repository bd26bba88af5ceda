import type { Queryable } from '../../db/schema.js';
import { documentEvent, emitEvents } from '../events.js';
import type { Actor } from './actor.js';
import { differenceOf, recordWrites } from './audit.js';
import type { DocumentRow } from './document-rows.js';

type Described = Pick<
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
  | 'enabled'
  | 'status'
  | 'source'
  | 'revision'
  | 'chunkCount'
  | 'error'
  | 'datasetIds'
>;

/** What the audit trail keeps of a document. */
const onRecord = (row: Described) => ({
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
  enabled: row.enabled,
  status: row.status,
  datasetIds: row.datasetIds,
  /** Another one where the text comes from elsewhere, or is read again. */
  revision: row.revision,
});

/** Addresses often carry credentials: before the host, or as signatures in the query. */
function withoutSecrets(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

type Created = Described[];
type Change = { before: Described; after: Described };

/** Writes down, and tells subscribers, that documents of one tenant were made. */
export async function tellCreated(tx: Queryable, actor: Actor, action: string, rows: Created): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const entries = rows.map((row) => ({ ...entryOf(row), action, after: onRecord(row) }));
  await recordWrites(tx, first.tenantId, actor, entries);
  await emitEvents(
    tx,
    first.tenantId,
    rows.map((row) => documentEvent('document.created', row)),
  );
}

/** Writes down what changed of documents of one tenant. */
export async function tellChanged(
  tx: Queryable,
  actor: Actor,
  action: string,
  ...changes: Change[]
): Promise<void> {
  const entries = changes.map(({ before, after }) => ({
    ...entryOf(after),
    action,
    ...differenceOf(onRecord(before), onRecord(after)),
  }));
  await recordWrites(tx, changes[0]?.after.tenantId ?? '', actor, entries);
}

export async function tellDeleted(tx: Queryable, actor: Actor, row: Described): Promise<void> {
  const entry = { ...entryOf(row), action: 'documents.delete', before: onRecord(row) };
  await recordWrites(tx, row.tenantId, actor, [entry]);
  await emitEvents(tx, row.tenantId, [documentEvent('document.deleted', row)]);
}

const entryOf = ({ tenantUnitId, id }: Described) => ({
  tenantUnitId,
  subject: { type: 'document' as const, id },
});
