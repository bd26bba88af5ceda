import type { TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../routers/app-router.js';

type BulkInput = inferRouterInputs<AppRouter>['conversations']['bulk'];
type BulkStep = inferRouterOutputs<AppRouter>['conversations']['bulk'];

export interface Bulk {
  /**
   * Changes all conversations that a filter matches, step by step. Each step is given when it is done: its `next`, given as
   * `after`, goes on where a former call ended. Leaving the loop ends the work.
   */
  bulk(input: BulkInput, options?: { signal?: AbortSignal }): AsyncGenerator<BulkStep, void>;
}

export function createBulk(trpc: TRPCClient<AppRouter>): Bulk {
  return {
    async *bulk(input, { signal } = {}) {
      let { after } = input;
      do {
        const step = await trpc.conversations.bulk.mutate({ ...input, after }, signal && { signal });
        yield step;
        after = step.next ?? undefined;
      } while (after !== undefined);
    },
  };
}
