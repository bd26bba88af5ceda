import type { KeyAccess, Permission } from '../../auth/permissions.js';
import type { AuditEvent } from './audit.schema.js';

interface Redaction {
  permission: Permission;
  open: ReadonlySet<string>;
}

/**
 * Fields that every reader of the audit log sees: names and states. All other fields require the read
 * permission of their subject.
 */
const SUBJECTS: Partial<Record<AuditEvent['subjectType'], Redaction>> = {
  conversation: {
    permission: 'conversations:read',
    open: new Set([
      'status',
      'agentId',
      'assignmentId',
      'labels',
      'messageId',
      'feedback',
      'verdict',
      'legalHold',
    ]),
  },
  label: { permission: 'conversations:read', open: new Set(['color']) },
  document: {
    permission: 'documents:read',
    open: new Set([
      'documentName',
      'externalId',
      'documentType',
      'source',
      'chunking',
      'extraction',
      'enabled',
      'status',
      'datasetIds',
      'revision',
    ]),
  },
  chunk: {
    permission: 'chunks:read',
    open: new Set(['documentId', 'status', 'deleted', 'contentLength', 'revision']),
  },
  member: { permission: 'members:read', open: new Set(['role', 'tenantUnitIds', 'datasetIds']) },
  synonyms: { permission: 'search', open: new Set(['datasetIds']) },
};

/** Redacts an audit event for a key. Redacted fields keep their name, so that it is visible what changed. */
export function redactAuditEvent(event: AuditEvent, access: KeyAccess | undefined): AuditEvent {
  const subject = SUBJECTS[event.subjectType];
  if (!subject || !access || access.permissions.includes(subject.permission)) return event;
  const withheld = `(needs the scope ${subject.permission})`;
  const view = (fields: Record<string, unknown> | null) =>
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        // Null is not redacted.
        value === null || subject.open.has(name) ? value : withheld,
      ]),
    );
  return { ...event, before: view(event.before), after: view(event.after) };
}
