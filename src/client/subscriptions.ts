import type { TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../routers/app-router.js';

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;
type ItemOf<Stream> = Stream extends AsyncIterable<infer Item> ? Item : never;
type DocumentProgress = ItemOf<Outputs['documents']['progress']>;
type Message = Outputs['messages']['list']['items'][number];

interface Options {
  signal?: AbortSignal;
}

/** Streams of server-sent events. A browser has six connections to a server by HTTP/1.1. Lost connections are opened again. */
export interface Subscriptions {
  /** What happens to documents, until all are ready, failed or deleted: one stream for all of them. */
  progress(
    selection: Inputs['documents']['progress'],
    options?: Options,
  ): AsyncGenerator<DocumentProgress, void>;
  /**
   * The newest messages of a conversation, then new ones as they are stored, until it is deleted. One that is being written
   * comes again, as a whole, each time it gets more text and when it is closed.
   */
  follow(conversation: Inputs['messages']['follow'], options?: Options): AsyncGenerator<Message, void>;
}

export function createSubscriptions(trpc: TRPCClient<AppRouter>): Subscriptions {
  return {
    progress: (selection, options) =>
      read((observer) => trpc.documents.progress.subscribe(selection, observer), options),
    async *follow(conversation, options) {
      const events = read<ItemOf<Outputs['messages']['follow']>>(
        (observer) => trpc.messages.follow.subscribe(conversation, observer),
        options,
      );
      const open = new Map<string, Message>();
      for await (const { data } of events) {
        for (const message of data.messages) {
          if (message.status === STREAMING) open.set(message.id, message);
          else open.delete(message.id);
          yield message;
        }
        for (const { messageId, text } of data.texts) {
          const before = open.get(messageId);
          if (!before) continue;
          const message = { ...before, content: `${before.content}${text}` };
          open.set(messageId, message);
          yield message;
        }
      }
    },
  };
}

/** The status of a message that is being written. */
const STREAMING = 'streaming';

interface Observer<Item> {
  onData(item: Item): void;
  onError(error: unknown): void;
  onComplete(): void;
}

async function* read<Item>(
  subscribe: (observer: Observer<Item>) => { unsubscribe(): void },
  { signal }: Options = {},
): AsyncGenerator<Item, void> {
  let subscription: { unsubscribe(): void } | undefined;
  const stream = new ReadableStream<Item>({
    start(controller) {
      signal?.throwIfAborted();
      const abort = () => controller.error(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      subscription = subscribe({
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
