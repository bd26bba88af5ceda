import { useQuery } from '@tanstack/react-query';
import { useScope } from '../../api/scope';
import { trpc } from '../../api/trpc';

/** Of the latest keys; others are called by their id. */
const MAX_NAMES = 100;

/** Names of keys by id. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { tenantId } = useScope();
  const { data } = useQuery(
    trpc.apiKeys.list.queryOptions({ scope: { tenantId }, pageSize: MAX_NAMES }, { staleTime: 60_000 }),
  );
  return new Map(data?.items.map(({ id, name }) => [id, name]));
}
