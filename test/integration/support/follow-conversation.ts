import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { EventSource } from 'eventsource';
import type { AppRouter } from '../../../src/routers/index.js';
import { TENANT, type TestApp } from './rest-client.js';

export interface Follow {
  conversationId: string;
  last?: number;
  lastEventId?: string;
}

type Event =
  inferRouterOutputs<AppRouter>['messages']['follow'] extends AsyncIterable<infer Item> ? Item : never;

/** Follows conversations as front ends do. */
export function createFollower(app: TestApp) {
  return { follow };

  /** Begins to follow a conversation, until it is told to stop. */
  async function follow(input: Follow, fields: Parameters<typeof app.makeKey>[0] = {}) {
    const { key } = await app.makeKey({ scopes: ['conversations:read'], ...fields });
    const client = createTRPCClient<AppRouter>({
      links: [
        httpSubscriptionLink({
          url: `${app.address}/trpc`,
          EventSource,
          eventSourceOptions: {
            fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': key } }),
          },
        }),
      ],
    });
    const events: (Event['data'] & { id: string })[] = [];
    let isOver = false;
    let error: unknown;
    const subscription = client.messages.follow.subscribe(
      { scope: TENANT, ...input },
      {
        onData: ({ id, data }) => void events.push({ id, ...data }),
        onComplete: () => (isOver = true),
        onError: (reason) => (error = reason),
      },
    );
    /** What a front end shows: each message as it came last, with the text that came since, in the order in which they began. */
    const shown = (): Map<string, string> => {
      const contents = new Map<string, string>();
      for (const { messages, texts } of events) {
        for (const { id, content } of messages) contents.set(id, content);
        for (const { messageId, text } of texts) contents.set(messageId, `${contents.get(messageId)}${text}`);
      }
      return contents;
    };
    return {
      events,
      contents: () => events.flatMap(({ messages }) => messages.map(({ content }) => content)),
      shown,
      isOver: () => isOver,
      error: () => error,
      stop: () => subscription.unsubscribe(),
    };
  }
}
