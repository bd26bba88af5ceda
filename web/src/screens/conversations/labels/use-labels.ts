import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePermission } from '../../../api/permission-gate';
import { useScope } from '../../../api/scope';
import { callerOf, session } from '../../../api/session';
import { type Outputs, trpc } from '../../../api/trpc';

export type Label = Outputs['labels']['list'][number];

/** Others seldom change them. */
const STALE_MS = 60_000;

/** The labels of the tenant, by name. */
export function useLabels() {
  return useQuery(trpc.labels.list.queryOptions({ scope: useScope() }, { staleTime: STALE_MS }));
}

/** Reads labels, and which conversations have them, again. */
export function useRefreshLabels(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [trpc.labels, trpc.conversations].map((area) =>
        queryClient.invalidateQueries({ queryKey: area.pathKey() }),
      ),
    );
}

/** Whether the labels of the tenant can be changed: a key of some units only puts them on conversations. */
export function useMayManageLabels(): boolean {
  const mayWrite = usePermission('conversations:write') ?? false;
  const { data } = useQuery(session);
  return mayWrite && !callerOf(data)?.tenantUnitIds;
}
