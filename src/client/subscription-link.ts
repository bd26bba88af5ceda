import { httpSubscriptionLink, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { EventSource } from 'eventsource';
import type { AppRouter } from '../routers/app-router.js';

interface SubscriptionOptions {
  url: string;
  fetch: typeof globalThis.fetch;
  headers: Record<string, string>;
}

/** Server-sent events by `fetch`, which can send the API key: the EventSource of browsers sends no headers. */
export function subscriptionLink({ url, fetch, headers }: SubscriptionOptions): TRPCLink<AppRouter> {
  return (runtime) =>
    ({ op, next }) =>
      observable((observer) => {
        /** The server's answer where it opens no stream, of which an EventSource tells only the status. */
        let refusal: { body: never; response: Response } | undefined;
        const open = async (input: string | URL, init: object) => {
          const given = init as { headers: Record<string, string> };
          const response = await fetch(input, { ...given, headers: { ...given.headers, ...headers } });
          const body = response.ok
            ? undefined
            : await response
                .clone()
                .json()
                .catch(() => undefined);
          if (body?.error) refusal = { body: body as never, response };
          return response;
        };
        const link = httpSubscriptionLink<AppRouter, typeof EventSource>({
          url,
          EventSource,
          eventSourceOptions: { fetch: open as never },
        });
        return link(runtime)({ op, next }).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) =>
            observer.error(
              refusal ? TRPCClientError.from(refusal.body, { meta: { response: refusal.response } }) : error,
            ),
        });
      });
}
