import { skipToken, useQuery } from '@tanstack/react-query';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { type Outputs, trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';

export type AuditEvent = Outputs['audit']['list']['items'][number];

/** Fields of subjects that people know them by. */
const NAME_FIELDS = ['documentName', 'topic', 'name', 'title', 'question'];

/** Names of what was changed, by id: as changes of a page have recorded them, and of documents as they are now. */
export function useSubjectNames(events: AuditEvent[]): ReadonlyMap<string, string> {
  const { tenantId } = useScope();
  const readsDocuments = usePermission('documents:read') === true;
  const recorded = new Map<string, string>();
  // The last change comes first.
  for (const event of events) {
    const name = nameIn(event.after) ?? nameIn(event.before);
    if (name !== undefined && !recorded.has(event.subjectId)) recorded.set(event.subjectId, name);
  }
  const documentIds = events
    .filter(({ subjectType, subjectId }) => subjectType === 'document' && !recorded.has(subjectId))
    .map(({ subjectId }) => subjectId);
  const { data } = useQuery(
    trpc.documents.getMany.queryOptions(
      readsDocuments && documentIds.length > 0
        ? { scope: { tenantId }, documentIds: [...new Set(documentIds)] }
        : skipToken,
      { staleTime: 60_000, retry: false },
    ),
  );
  return new Map([...recorded, ...(data ?? []).map((document) => [document.id, nameOf(document)] as const)]);
}

function nameIn(fields: AuditEvent['after']): string | undefined {
  const names = NAME_FIELDS.map((field) => fields?.[field]);
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}
