import { useQueryClient } from '@tanstack/react-query';
import { type Outputs, trpc } from '../../api/trpc';

export type ApiKey = Outputs['apiKeys']['list']['items'][number];
/** The key of the session, if there is one. */
export type OwnKey = NonNullable<Outputs['session']['get']['key']>;

/** Reads all lists of keys again. */
export function useRefreshKeys(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.apiKeys.pathKey() });
}
