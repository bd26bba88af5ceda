import type { KeyAccess, Permission } from '../../auth/permissions.js';
import type { AuditEvent } from './audit.schema.js';

/**
 * What everybody sees who may read the audit trail: names and states, as webhooks give them too. The other fields take
 * the permission to read their subjects; a new field does so until it is named here.
 */
const SUBJECTS: Record<string, { permission: Permission; open: ReadonlySet<string> }> = {
  conversation: {
    permission: 'conversations:read',
    open: new Set(['status', 'agentId', 'assignmentId']),
  },
  document: {
    permission: 'documents:read',
    open: new Set([
      ...['documentName', 'externalId', 'documentType', 'source', 'chunking', 'enabled', 'status'],
      ...['datasetIds', 'revision'],
    ]),
  },
  chunk: {
    permission: 'chunks:read',
    open: new Set(['documentId', 'status', 'deleted', 'contentLength', 'revision']),
  },
};

/** An event as the bearer of a key may see it. Fields that are withheld are named, so that it shows what changed. */
export function redactAuditEvent(event: AuditEvent, access: KeyAccess | undefined): AuditEvent {
  const subject = SUBJECTS[event.subjectType];
  if (!subject || !access || access.permissions.includes(subject.permission)) return event;
  const withheld = `(needs the scope ${subject.permission})`;
  const view = (fields: Record<string, unknown> | null) =>
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        // Whether there was something at all is a state.
        value === null || subject.open.has(name) ? value : withheld,
      ]),
    );
  return { ...event, before: view(event.before), after: view(event.after) };
}
