import type { Selectable } from 'kysely';
import type { DocumentTable, Queryable } from '../../db/schema.js';
import { type DomainEvent, emitEvents } from '../events.js';

/** What an update of a document has to return. */
export const toldColumns = [
  'tenantId',
  'tenantUnitId',
  'id',
  'externalId',
  'documentName',
  'status',
  'chunkCount',
  'error',
] as const;

type Told = Pick<Selectable<DocumentTable>, (typeof toldColumns)[number]>;

/** Tells subscribers how processing ended, in the transaction that says so in the document. */
export async function tellOutcome(tx: Queryable, document: Told): Promise<void> {
  await emitEvents(tx, document.tenantId, [document.status === 'ready' ? ready(document) : failed(document)]);
}

const ready = (document: Told): DomainEvent => ({
  type: 'document.ready',
  tenantUnitId: document.tenantUnitId,
  data: factsOf(document),
});

const failed = (document: Told): DomainEvent => {
  const { code, stage, message } = document.error ?? {};
  return {
    type: 'document.failed',
    tenantUnitId: document.tenantUnitId,
    data: { ...factsOf(document), error: { code, stage, message } },
  };
};

const factsOf = ({ id, externalId, documentName, status, chunkCount }: Told) => ({
  documentId: id,
  externalId,
  documentName,
  status,
  chunkCount,
});
