import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from 'lectern/routers';
import { readFailure } from './errors';
import { alone, client, queryClient, trpc, url } from './trpc';

/** Who is signed in; an error where nobody is. */
export const session = trpc.session.get.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY });

/** Exchanges an API key for a session cookie that no script reads. The key itself is kept nowhere. */
export async function signIn(apiKey: string) {
  const links = [httpLink({ url, headers: { 'x-api-key': apiKey } })];
  const info = await createTRPCClient<AppRouter>({ links }).session.create.mutate();
  queryClient.setQueryData(session.queryKey, info);
  return info;
}

/** Ends the session, and forgets what it has shown. */
export async function signOut(): Promise<void> {
  await client.session.delete.mutate(undefined, { context: alone });
  await queryClient.resetQueries({ queryKey: session.queryKey });
  // The sign-in is on the screen now.
  queryClient.removeQueries({ type: 'inactive' });
}

/** Whether a key is needed. Whoever asks too often without one is told to wait in place of that. */
export function isSignedOut(error: unknown): boolean {
  const { status } = readFailure(error);
  return status === 401 || status === 429;
}
