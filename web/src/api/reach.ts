import { skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { usePermission } from './permission-gate';
import { serverStatus } from './server-status';
import { session } from './session';
import { trpc } from './trpc';

/** Chosen from a list that is read again when its field gets the focus. */
const STALE_MS = 30_000;

/** The tenants that can be chosen, as far as they fit what is typed. */
export function useTenants(typed: string) {
  const prefix = useDeferredValue(typed.trim());
  const isAnswered = useIsAnswered();
  const options = (input: { prefix?: string } | undefined) =>
    trpc.reach.tenants.queryOptions(input ?? skipToken, { staleTime: STALE_MS });
  const all = useQuery(options(isAnswered ? {} : undefined));
  const some = useQuery(options(isMore(all.data, prefix) ? { prefix } : undefined));
  return { tenants: (some.data ?? all.data)?.tenantIds ?? [], refresh: () => void all.refetch() };
}

/** The units of a tenant that can be chosen, likewise. */
export function useUnits(tenantId: string, typed: string) {
  const prefix = useDeferredValue(typed.trim());
  const isAnswered = useIsAnswered() && tenantId !== '';
  const options = (input: { prefix?: string } | undefined) =>
    trpc.reach.units.queryOptions(input ? { scope: { tenantId }, ...input } : skipToken, {
      staleTime: STALE_MS,
      retry: false,
    });
  const all = useQuery(options(isAnswered ? {} : undefined));
  const some = useQuery(options(isMore(all.data, prefix) ? { prefix } : undefined));
  return { units: (some.data ?? all.data)?.tenantUnitIds ?? [], refresh: () => void all.refetch() };
}

/** The datasets of a scope that can be chosen, likewise. */
export function useDatasets(scope: { tenantId: string; tenantUnitId: string | undefined }, typed: string) {
  const prefix = useDeferredValue(typed.trim());
  const [reads, writes, searches] = [
    usePermission('documents:read'),
    usePermission('documents:write'),
    usePermission('search'),
  ];
  const isPermitted = reads || writes || searches;
  const options = (input: { prefix?: string } | undefined) =>
    trpc.reach.datasets.queryOptions(input ? { scope, ...input } : skipToken, {
      staleTime: STALE_MS,
      retry: false,
    });
  const all = useQuery(options(isPermitted ? {} : undefined));
  const some = useQuery(options(isMore(all.data, prefix) ? { prefix } : undefined));
  const refresh = () => void (isPermitted && all.refetch());
  return { datasets: (some.data ?? all.data)?.datasets ?? [], isKnown: all.isSuccess, refresh };
}

const isMore = (all: { truncated: boolean } | undefined, prefix: string): boolean =>
  prefix !== '' && all?.truncated === true;

/** Whether the server answers this browser: it needs no key, or somebody is signed in. */
function useIsAnswered(): boolean {
  const { data } = useQuery(serverStatus);
  const signedIn = useQuery({ ...session, enabled: data?.needsKey === true });
  return data !== undefined && (!data.needsKey || (signedIn.data !== undefined && !signedIn.error));
}
