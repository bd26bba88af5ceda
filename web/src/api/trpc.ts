import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
} from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from 'lectern/routers';
import { isWorthRetrying, readFailure } from './errors';
import { fetchWithProgress } from './upload-progress';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;
/** A document as lists show it. */
export type Document = Outputs['documents']['list']['items'][number];

export const url = '/trpc';
/** Of calls that are slow, or whose answers are large: nothing else waits for them. */
export const alone = { isAlone: true };
const MAX_RETRIES = 2;

/** Asks who is signed in where a call finds that nobody is: the session has ended. */
function checkSession(error: unknown): void {
  const queryKey = trpc.session.get.queryKey();
  const wasSignedIn = queryClient.getQueryState(queryKey)?.status === 'success';
  if (readFailure(error).status === 401 && wasSignedIn) void queryClient.invalidateQueries({ queryKey });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    queries: { retry: (failures, error) => failures < MAX_RETRIES && isWorthRetrying(error) },
  },
});

/** For calls whose result nobody caches: writes and uploads. */
export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: (op) => op.type === 'subscription',
      true: httpSubscriptionLink({ url }),
      false: splitLink({
        // A file is streamed as it is, in a request of its own; what is slow holds up no other call.
        condition: (op) => isNonJsonSerializable(op.input) || op.context.isAlone === true,
        true: httpLink({ url, fetch: fetchWithProgress }),
        false: splitLink({
          condition: (op) =>
            op.type === 'query' && encodeURIComponent(JSON.stringify(op.input)).length > 3_500,
          // Too long for an address.
          true: httpLink({ url, methodOverride: 'POST' }),
          false: httpBatchLink({ url, maxURLLength: 4_000 }),
        }),
      }),
    }),
  ],
});

/** Options of queries and subscriptions, by procedure. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
