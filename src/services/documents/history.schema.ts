import type { z } from 'zod';
import { auditEvent } from '../audit/audit.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { documentRef } from './documents.schema.js';

export const historyFilter = documentRef.extend(pageParameters(20));
export type HistoryFilter = z.output<typeof historyFilter>;

/** A change of a document or of one of its chunks. From where it was made is for readers of the audit log. */
export const documentEvent = auditEvent.omit({
  tenantId: true,
  tenantUnitId: true,
  address: true,
  requestId: true,
});
export type DocumentEvent = z.output<typeof documentEvent>;
