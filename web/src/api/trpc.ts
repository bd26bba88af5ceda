import { QueryClient } from '@tanstack/react-query';
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
import { isWorthRetrying } from './errors';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;
/** A document as lists show it. */
export type Document = Outputs['documents']['list']['items'][number];

const url = '/trpc';
const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
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
        // A file is streamed as it is, in a request of its own.
        condition: (op) => isNonJsonSerializable(op.input),
        true: httpLink({ url }),
        false: httpBatchLink({ url, maxURLLength: 4_000 }),
      }),
    }),
  ],
});

/** Options of queries and subscriptions, by procedure. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
