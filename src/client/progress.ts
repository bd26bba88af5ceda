import type { TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../routers/app-router.js';

type Selection = inferRouterInputs<AppRouter>['documents']['progress'];
type DocumentProgress =
  inferRouterOutputs<AppRouter>['documents']['progress'] extends AsyncIterable<infer Item> ? Item : never;

export interface Progress {
  /**
   * What happens to documents, until all are ready, failed or deleted. One stream for all of them: a browser has six connections
   * to a server by HTTP/1.1. Lost connections are opened again.
   */
  progress(selection: Selection, options?: { signal?: AbortSignal }): AsyncGenerator<DocumentProgress, void>;
}

export function createProgress(trpc: TRPCClient<AppRouter>): Progress {
  return { progress };

  async function* progress(selection: Selection, { signal }: { signal?: AbortSignal } = {}) {
    let subscription: { unsubscribe(): void } | undefined;
    const stream = new ReadableStream<DocumentProgress>({
      start(controller) {
        signal?.throwIfAborted();
        const abort = () => controller.error(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        subscription = trpc.documents.progress.subscribe(selection, {
          onData: (item) => controller.enqueue(item),
          onError: (error) => controller.error(error),
          onComplete: () => {
            signal?.removeEventListener('abort', abort);
            if (!signal?.aborted) controller.close();
          },
        });
      },
    });
    const reader = stream.getReader();
    try {
      for (let item = await reader.read(); !item.done; item = await reader.read()) yield item.value;
    } finally {
      subscription?.unsubscribe();
    }
  }
}
