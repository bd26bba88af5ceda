import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useScope } from '../../api/scope';
import { type Document, type Inputs, type Outputs, trpc } from '../../api/trpc';
import type { DocumentsSearch } from './search-params';

type Page = Outputs['documents']['list'];

export const PAGE_SIZE = 20;
/** While something is processed, also where the stream of progress is not available. */
const REFETCH_MS = 5_000;

/** A page of documents. What is processed shows how far it is, from a stream. */
export function useDocuments({ status, type, dataset, page = 1 }: DocumentsSearch) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const input: Inputs['documents']['list'] = {
    scope,
    page,
    pageSize: PAGE_SIZE,
    statuses: status && [status],
    documentTypes: type && [type],
    datasetIds: dataset === undefined ? undefined : [dataset],
  };
  const options = trpc.documents.list.queryOptions(input);
  const list = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isPending) ? REFETCH_MS : false),
  });
  const pending = list.isPlaceholderData ? [] : (list.data?.items.filter(isPending) ?? []);
  useSubscription(
    trpc.documents.progress.subscriptionOptions(
      { scope: { tenantId: scope.tenantId }, documentIds: pending.map(({ id }) => id) },
      {
        enabled: pending.length > 0,
        onData: (progress) => {
          if (progress.status === 'deleted') {
            void queryClient.invalidateQueries({ queryKey: options.queryKey });
            return;
          }
          queryClient.setQueryData(
            options.queryKey,
            (current: Page | undefined) =>
              current && { ...current, items: current.items.map((item) => withProgress(item, progress)) },
          );
        },
      },
    ),
  );
  return list;
}

/** Reads all lists of documents again. */
export function useRefreshDocuments(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.documents.list.queryKey() });
}

const isPending = ({ status }: Document) => status === 'created' || status === 'processing';

type Progress = { documentId: string } & Partial<Document>;

const withProgress = (item: Document, { documentId, ...state }: Progress): Document =>
  item.id === documentId ? { ...item, ...state } : item;
