import { withDeadline } from '../async/linked-signals.js';
import { readRetryAfter } from '../errors/retry-after.js';
import { toFetchError } from '../outbound-http/fetch-error.js';
import type { HttpClient, HttpResponse } from '../outbound-http/http-client.js';
import { inSpan } from '../tracing/spans.js';
import { signWebhook } from './signature.js';
import type { ValidateWebhookUrl } from './validate-url.js';

/** Delivery timeout. */
export const DELIVERY_TIMEOUT_MS = 20_000;
/** Only the status of a response is stored. */
const MAX_ANSWER_BYTES = 1_024;

export interface WebhookMessage {
  url: string;
  /** Current secret first; all of them sign. */
  secrets: string[];
  eventId: string;
  payload: string;
}

/** Outcome of an attempt; `error` is a sentence. */
export interface DeliveryOutcome {
  status: number | null;
  error: string | null;
  retryAfterMs?: number | undefined;
}

export interface SendDependencies {
  /** HTTP client with SSRF protection. */
  client: HttpClient;
  validateUrl: ValidateWebhookUrl;
  clock: () => Date;
  /** Whether endpoints are told of the trace. */
  propagatesTrace?: boolean | undefined;
}

export type SendWebhook = ReturnType<typeof createSendWebhook>;

/** Sends events to consumers. Redirects are not followed, since only the given URL was validated. */
export function createSendWebhook({ client, validateUrl, clock, propagatesTrace }: SendDependencies) {
  /** @returns undefined if aborted: the outcome is unknown */
  return async function send(
    message: WebhookMessage,
    stopping: AbortSignal,
  ): Promise<DeliveryOutcome | undefined> {
    // The allow list may have changed since the subscription was created.
    const objection = validateUrl(message.url);
    if (objection) return { status: null, error: `Nothing is sent to this address: it ${objection}.` };
    try {
      return await withDeadline(DELIVERY_TIMEOUT_MS, stopping, (signal) => post(message, signal));
    } catch (error) {
      if (stopping.aborted) return undefined;
      const { code } = toFetchError(error);
      return { status: null, error: SENTENCES[code] ?? UNREACHABLE };
    }
  };

  function post(message: WebhookMessage, signal: AbortSignal): Promise<DeliveryOutcome> {
    return inSpan('POST', { kind: 'client', attributes: describe(message) }, async (span) => {
      const answer = await client(new URL(message.url), {
        method: 'POST',
        headers: {
          ...headersOf(message, Math.floor(clock().getTime() / 1000)),
          ...(span && propagatesTrace && { traceparent: span.traceparent }),
        },
        body: message.payload,
        signal,
      });
      // Only the status counts; ignore errors in the body.
      await discard(answer).catch(() => {});
      span?.set({ 'http.response.status_code': answer.status });
      return toOutcome(answer, clock());
    });
  }
}

/** The host alone: the path of a webhook is often a secret. */
const describe = ({ url }: WebhookMessage) => ({
  'http.request.method': 'POST',
  'server.address': new URL(url).host,
});

/** Drains a short response body before closing. */
async function discard({ body }: HttpResponse): Promise<void> {
  let received = 0;
  for await (const part of body) {
    received += part.byteLength;
    if (received > MAX_ANSWER_BYTES) return;
  }
}

/** @param timestamp seconds since 1970 */
export const headersOf = ({ secrets, eventId, payload }: Omit<WebhookMessage, 'url'>, timestamp: number) => ({
  'content-type': 'application/json',
  'user-agent': 'lectern',
  'webhook-id': eventId,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signWebhook(secrets, { id: eventId, timestamp, body: payload }),
});

function toOutcome({ status, headers }: HttpResponse, now: Date): DeliveryOutcome {
  if (status >= 200 && status < 300) return { status, error: null };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return { status, error: explain(status), retryAfterMs };
}

function explain(status: number): string {
  if (status === 410) return 'The consumer answered 410 Gone, so the subscription was disabled.';
  if (status >= 300 && status < 400) {
    return `The consumer answered with the redirect ${status}, which is not followed; give the address where it leads.`;
  }
  return `The consumer answered with status ${status}.`;
}

const UNREACHABLE = 'There was no connection to the consumer, or it broke off.';
const SENTENCES: Record<string, string> = {
  blocked_address: 'The address does not lead to the public Internet, so nothing is sent to it.',
  timeout: `The consumer did not answer within ${DELIVERY_TIMEOUT_MS / 1000} seconds.`,
  tls: 'There is no safe connection to the consumer: its certificate is not trusted, or its encryption does not work.',
  broken_body: 'The consumer sent an answer that cannot be read.',
};
