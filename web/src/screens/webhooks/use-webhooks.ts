import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';
import type { WebhooksSearch } from './search-params';

const PAGE_SIZE = 20;
/** While something is on its way. */
const REFETCH_MS = 2_000;
const WEBHOOK_REFETCH_MS = 5_000;

/** All webhooks of the tenant, of which there are few. */
export function useWebhooks() {
  const { tenantId } = useScope();
  return useQuery(trpc.webhooks.list.queryOptions({ scope: { tenantId } }));
}

/** One webhook. Deliveries that fail pause it, or disable it. */
export function useWebhook(webhookId: string) {
  const { tenantId } = useScope();
  return useQuery(
    trpc.webhooks.get.queryOptions(
      { scope: { tenantId }, webhookId },
      { refetchInterval: ({ state }) => (state.error ? false : WEBHOOK_REFETCH_MS) },
    ),
  );
}

/** A page of what was sent, or is about to be. */
export function useDeliveries(webhookId: string, { delivery, page = 1 }: WebhooksSearch) {
  const { tenantId } = useScope();
  return useQuery(
    trpc.webhooks.deliveries.queryOptions(
      { scope: { tenantId }, webhookId, state: delivery, page, pageSize: PAGE_SIZE },
      {
        placeholderData: keepPreviousData,
        refetchInterval: ({ state }) =>
          state.data?.items.some((item) => item.state === 'pending') ? REFETCH_MS : false,
      },
    ),
  );
}

/** Reads all that is known of webhooks again. */
export function useRefreshWebhooks(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.webhooks.pathKey() });
}
