import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useScope } from '../../api/scope';
import { type Outputs, trpc } from '../../api/trpc';

export type OneDocument = Outputs['documents']['getMany'][number];

/** While it is processed, also where the stream of progress is not available. */
const REFETCH_MS = 5_000;

const route = getRouteApi('/documents/$documentId');

/** The document that the address names; undefined data where there is none. While it is processed it shows how far it is. */
export function useDocument() {
  const { documentId } = route.useParams();
  const scope = useScope();
  const queryClient = useQueryClient();
  const refresh = useRefreshDocument();
  const options = trpc.documents.getMany.queryOptions({ scope, documentIds: [documentId] });
  const query = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data?.some(isPending) ? REFETCH_MS : false),
  });
  useSubscription(
    trpc.documents.progress.subscriptionOptions(
      { scope: { tenantId: scope.tenantId }, documentIds: [documentId] },
      {
        enabled: query.data?.some(isPending) ?? false,
        onData: ({ documentId: _, ...state }) => {
          if (state.status === 'deleted' || state.status === 'ready' || state.status === 'failed') {
            void refresh();
            return;
          }
          const { status, ...progress } = state;
          queryClient.setQueryData(options.queryKey, (found: OneDocument[] | undefined) =>
            found?.map((document) => ({ ...document, ...progress, status: status ?? document.status })),
          );
        },
      },
    ),
  );
  return { ...query, document: query.data?.[0] };
}

/** Reads the document, its chunks, source and history again, and the lists that it is in. */
export function useRefreshDocument(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [trpc.documents, trpc.chunks].map((area) =>
        queryClient.invalidateQueries({ queryKey: area.pathKey() }),
      ),
    );
}

/** What calls about a document begin with. */
export const refOf = ({
  id: documentId,
  tenantId,
  tenantUnitId,
}: Pick<OneDocument, 'id' | 'tenantId' | 'tenantUnitId'>) => ({
  scope: { tenantId, tenantUnitId },
  documentId,
});

const isPending = ({ status }: OneDocument) => status === 'created' || status === 'processing';
