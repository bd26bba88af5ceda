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
        let refusal: { body: object; response: Response } | undefined;
        const open = async (input: string | URL, init: object) => {
          const given = init as { headers: Record<string, string> };
          const response = await fetch(input, { ...given, headers: { ...given.headers, ...headers } });
          if (!response.ok) refusal = { body: await readBody(response.clone()), response };
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
          error: (error) => observer.error(refusal ? refusedBy(refusal) : error),
        });
      });
}

const readBody = async (response: Response): Promise<object> =>
  response.json().then(
    (body) => body as object,
    () => new Error(`HTTP ${response.status}`),
  );

const refusedBy = ({ body, response }: { body: object; response: Response }) =>
  TRPCClientError.from<AppRouter>(body as Error, { meta: { response } });
