import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from 'lectern/routers';
import { readFailure } from './errors';
import { alone, client, type Outputs, queryClient, trpc, url } from './trpc';

/** Who is signed in; an error where nobody is. */
export const session = trpc.session.get.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY });

/** The key or the person that is signed in; undefined in open mode. */
export const callerOf = (info: Outputs['session']['get'] | undefined) => info?.key ?? info?.user;

/** Exchanges an API key for a session cookie that no script reads. The key itself is kept nowhere. */
export async function signIn(apiKey: string) {
  const links = [httpLink({ url, headers: { 'x-api-key': apiKey } })];
  const info = await createTRPCClient<AppRouter>({ links }).session.create.mutate();
  queryClient.setQueryData(session.queryKey, info);
  return info;
}

/** Ends the session, and forgets what it has shown. Whoever has signed in by a provider signs out there, too. */
export async function signOut(): Promise<void> {
  const { endSessionUrl } = await client.session.delete.mutate(undefined, { context: alone });
  if (endSessionUrl !== null) {
    window.location.assign(endSessionUrl);
    return;
  }
  await queryClient.resetQueries({ queryKey: session.queryKey });
  // The sign-in is on the screen now.
  queryClient.removeQueries({ type: 'inactive' });
}

/** Whether a key is needed. Whoever asks too often without one is told to wait in place of that. */
export function isSignedOut(error: unknown): boolean {
  const { status } = readFailure(error);
  return status === 401 || status === 429;
}
