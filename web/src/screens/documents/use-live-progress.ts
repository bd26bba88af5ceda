import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useRef } from 'react';
import { useScope } from '../../api/scope';
import { type Document, type Outputs, trpc } from '../../api/trpc';

type Page = Outputs['documents']['list'];
type Progress = Outputs['documents']['progress'] extends AsyncIterable<infer Item> ? Item : never;

/** Many documents may change at once: lists are rendered for all of them together. */
const COLLECTING_MS = 100;
/** Between two readings of the list for what the stream does not tell. */
const REREAD_MS = 1_000;

/**
 * Shows in all lists how far documents are, from a stream.
 *
 * @param status what the list is filtered by: documents leave it when they have another one
 */
export function useLiveProgress(documentIds: string[], status: Document['status'] | undefined): void {
  const { tenantId } = useScope();
  const queryClient = useQueryClient();
  const collected = useRef(new Map<string, Progress>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rereading = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(rereading.current);
    },
    [],
  );
  const show = () => {
    timer.current = undefined;
    const changes = new Map(collected.current);
    collected.current.clear();
    const queryKey = trpc.documents.list.queryKey();
    const isGone = (state: Progress) => state.status === 'deleted' || (status && state.status !== status);
    if ([...changes.values()].some(isGone)) void queryClient.invalidateQueries({ queryKey });
    const lists = queryClient.getQueriesData<Page>({ queryKey, type: 'active' });
    if (lists.some(([, page]) => page?.items.some((item) => isNewlyRead(item, changes.get(item.id))))) {
      rereading.current ??= setTimeout(() => {
        rereading.current = undefined;
        void queryClient.invalidateQueries({ queryKey });
      }, REREAD_MS);
    }
    queryClient.setQueriesData(
      { queryKey, type: 'active' },
      (page: Page | undefined) => page && withProgress(page, changes),
    );
  };
  useSubscription(
    trpc.documents.progress.subscriptionOptions(
      { scope: { tenantId }, documentIds },
      {
        enabled: documentIds.length > 0,
        onData: (progress) => {
          collected.current.set(progress.documentId, progress);
          timer.current ??= setTimeout(show, COLLECTING_MS);
        },
      },
    ),
  );
}

/** Whether the format of a document is known by now, which the stream does not tell. */
const isNewlyRead = (item: Document, change: Progress | undefined): boolean =>
  change?.status === 'ready' && item.documentSubType === null;

/** The same page where nothing of it has changed, so that nothing is rendered again. */
function withProgress(page: Page, changes: Map<string, Progress>): Page {
  if (!page.items.some(({ id }) => changes.has(id))) return page;
  const items = page.items.map((item): Document => {
    const change = changes.get(item.id);
    if (!change || change.status === 'deleted') return item;
    const { documentId, ...state } = change;
    return { ...item, ...state };
  });
  return { ...page, items };
}
