import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePermission } from '../../api/permission-gate';
import { useScope } from '../../api/scope';
import { alone, client, type Outputs, trpc } from '../../api/trpc';

/** While the page is visible. */
const QUEUE_REFETCH_MS = 5_000;
const LIMITS_REFETCH_MS = 10_000;
const BACKUP_REFETCH_MS = 60_000;
/** Reading the state of the index counts all chunks. */
const INDEX_REFETCH_MS = 30_000;

export type Verification = NonNullable<Outputs['search']['verify']>;

export function useQueue() {
  const isPermitted = usePermission('documents:read');
  const query = useQuery(
    trpc.overview.queue.queryOptions(
      { scope: useScope() },
      { enabled: isPermitted === true, refetchInterval: QUEUE_REFETCH_MS },
    ),
  );
  return { ...query, isPermitted };
}

export function useIndexStatus() {
  const isPermitted = usePermission('operations');
  const query = useQuery(
    trpc.search.status.queryOptions(undefined, {
      enabled: isPermitted === true,
      refetchInterval: INDEX_REFETCH_MS,
    }),
  );
  return { ...query, isPermitted };
}

export function useLastBackup() {
  const { tenantId } = useScope();
  const isPermitted = usePermission('operations');
  const query = useQuery(
    trpc.overview.attention.queryOptions(
      { scope: { tenantId } },
      // It counts much else: the rest of the screen does not wait for it.
      { enabled: isPermitted === true, refetchInterval: BACKUP_REFETCH_MS, trpc: { context: alone } },
    ),
  );
  return { ...query, isPermitted };
}

export const useLimits = () =>
  useQuery(trpc.overview.limits.queryOptions(undefined, { refetchInterval: LIMITS_REFETCH_MS }));

/** Compares the index with the database, and repairs it if that is asked. It ends when the screen is left. */
export function useDrift() {
  const scope = useScope();
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const mutation = useMutation({
    mutationFn: ({ isRepair }: { isRepair: boolean }): Promise<Verification | null> => {
      running.current = new AbortController();
      const { signal } = running.current;
      return isRepair
        ? client.search.repair.mutate({ scope: { tenantId: scope.tenantId } }, { signal })
        : client.search.verify.query(undefined, { signal });
    },
  });
  return {
    ...mutation,
    cancel: () => {
      running.current?.abort();
      mutation.reset();
    },
  };
}
