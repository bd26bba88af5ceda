import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { alone, type Inputs, type Outputs, trpc } from '../../api/trpc';

/** While the page is visible. */
const REFETCH_MS = 10_000;

const DAY_MS = 86_400_000;

export type Overview = Outputs['overview']['get'];
export type Attention = Outputs['overview']['attention'];
export type Count = NonNullable<Overview['documents']>['ready'];
export type Rate = NonNullable<Outputs['overview']['rates']['rates']>[number];
export type ConversationDays = Outputs['overview']['conversations'];
export type Period = NonNullable<Inputs['overview']['rates']['period']>;

export const useOverview = () =>
  useQuery(trpc.overview.get.queryOptions({ scope: useScope() }, { refetchInterval: REFETCH_MS }));

/** Apart from the others, which do not wait for a search server. */
export const useAttention = () =>
  useQuery(
    trpc.overview.attention.queryOptions(
      { scope: useScope() },
      { refetchInterval: REFETCH_MS, trpc: { context: alone } },
    ),
  );

/** What the tenant uses, in all of its units; null for keys of some units or datasets. */
export function useUsage() {
  const { tenantId } = useScope();
  const isPermitted = usePermission('documents:read');
  const query = useQuery(
    trpc.overview.usage.queryOptions(
      { scope: { tenantId } },
      { enabled: isPermitted === true, refetchInterval: REFETCH_MS },
    ),
  );
  return { ...query, isPermitted };
}

/** What was processed and searched; undefined where the key may see neither. */
export function useRates(period: Period) {
  const { tenantId } = useScope();
  const mayRead = usePermission('documents:read');
  const maySearch = usePermission('search');
  const query = useQuery(
    trpc.overview.rates.queryOptions(
      { scope: { tenantId }, period },
      {
        enabled: Boolean(mayRead || maySearch),
        refetchInterval: REFETCH_MS,
        placeholderData: keepPreviousData,
      },
    ),
  );
  return { ...query, isPermitted: mayRead || maySearch };
}

/** Conversations of the last days, in UTC. */
export function useConversationDays(days: number) {
  const scope = useScope();
  const isPermitted = usePermission('conversations:read');
  const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const query = useQuery(
    trpc.overview.conversations.queryOptions(
      { scope, from },
      { enabled: isPermitted === true, refetchInterval: REFETCH_MS, placeholderData: keepPreviousData },
    ),
  );
  return { ...query, isPermitted };
}
