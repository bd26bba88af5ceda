import { skipToken, useQuery } from '@tanstack/react-query';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { client, type Outputs, trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';

export type AuditEvent = Outputs['audit']['list']['items'][number];

/** Fields of subjects that people know them by. */
const NAME_FIELDS = ['documentName', 'topic', 'name', 'title', 'question'];

/** Actions after which their subject is there no more. */
const DELETIONS = /^(?:conversations\.delete|documents\.delete(?:Many)?|users\.erase|retention\.expire)$/;

interface Subjects {
  /** By id: as changes of a page have recorded them, and of documents as they are now. */
  names: ReadonlyMap<string, string>;
  /** Ids of documents that are out of reach, and of what a change of the page has deleted. */
  gone: ReadonlySet<string>;
}

/** What was changed by some events, newest first. */
export function useSubjects(events: AuditEvent[]): Subjects {
  const { tenantId } = useScope();
  const readsDocuments = usePermission('documents:read') === true;
  const documentIds = documentsOf(events);
  const { data } = useQuery(
    trpc.documents.getMany.queryOptions(
      readsDocuments && documentIds.length > 0 ? { scope: { tenantId }, documentIds } : skipToken,
      { staleTime: 60_000, retry: false },
    ),
  );
  const there = new Set(data?.map(({ id }) => id));
  const gone = [
    ...events.filter(({ action }) => DELETIONS.test(action)).map(({ subjectId }) => subjectId),
    ...(data ? documentIds.filter((id) => !there.has(id)) : []),
  ];
  return { names: namesOf(events, data), gone: new Set(gone) };
}

/** A page of the log with the names of its subjects, as a file of it has them. */
export async function withNames<Page extends { items: readonly AuditEvent[] }>(
  page: Page,
  tenantId: string,
  readsDocuments: boolean,
  keyNames: ReadonlyMap<string, string>,
) {
  const names = recordedNames(page.items);
  const documentIds = documentsOf(page.items.filter(({ subjectId }) => !names.has(subjectId)));
  const isAsked = readsDocuments && documentIds.length > 0;
  const documents = isAsked
    ? await client.documents.getMany.query({ scope: { tenantId }, documentIds })
    : undefined;
  const all = namesOf(page.items, documents);
  return {
    ...page,
    items: page.items.map((event) => ({
      ...event,
      subjectName: all.get(event.subjectId) ?? keyNames.get(event.subjectId),
    })),
  };
}

const documentsOf = (events: readonly AuditEvent[]): string[] => [
  ...new Set(
    events.filter(({ subjectType }) => subjectType === 'document').map(({ subjectId }) => subjectId),
  ),
];

const namesOf = (events: readonly AuditEvent[], documents: Outputs['documents']['getMany'] | undefined) =>
  new Map([
    ...recordedNames(events),
    ...(documents ?? []).map((document) => [document.id, nameOf(document)] as const),
  ]);

function recordedNames(events: readonly AuditEvent[]): Map<string, string> {
  const recorded = new Map<string, string>();
  // The last change comes first.
  for (const event of events) {
    const name = nameIn(event.after) ?? nameIn(event.before);
    if (name !== undefined && !recorded.has(event.subjectId)) recorded.set(event.subjectId, name);
  }
  return recorded;
}

function nameIn(fields: AuditEvent['after']): string | undefined {
  const names = NAME_FIELDS.map((field) => fields?.[field]);
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}
