import { useQueryClient } from '@tanstack/react-query';
import type { callerOf } from '../../api/session';
import { trpc } from '../../api/trpc';

/** What makes a key: a key, or a person. */
export type OwnKey = NonNullable<ReturnType<typeof callerOf>>;

/** Reads all lists of keys again. */
export function useRefreshKeys(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.apiKeys.pathKey() });
}
