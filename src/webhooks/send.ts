import { toFetchError } from '../ingestion/fetch/fetch-source-error.js';
import type { HttpAnswer, HttpClient } from '../ingestion/fetch/http-client.js';
import type { CheckTarget } from './check-target.js';
import { sign } from './sign.js';

/** How long a consumer may take. */
export const TIMEOUT_MS = 20_000;
/** Nothing of an answer is kept but its status. */
const MAX_ANSWER_BYTES = 1_024;

export interface Message {
  url: string;
  /** The one to come first; all of them sign. */
  secrets: string[];
  eventId: string;
  payload: string;
}

/** What became of a try: an `error` says in a sentence why it failed. */
export interface Outcome {
  status: number | null;
  error: string | null;
  retryAfterMs?: number | undefined;
}

export interface SendDependencies {
  /** Connects to where it is allowed to. */
  client: HttpClient;
  checkTarget: CheckTarget;
  clock: () => Date;
}

export type Send = ReturnType<typeof createSend>;

/** Sends events to consumers. Redirects are not followed: the address that was checked is the one that gets them. */
export function createSend({ client, checkTarget, clock }: SendDependencies) {
  /** @returns undefined where it was broken off, so that nobody knows what became of it */
  return async function send(message: Message, stopping: AbortSignal): Promise<Outcome | undefined> {
    // What may be reached can have been narrowed since the subscription was made.
    const objection = checkTarget(message.url);
    if (objection) return { status: null, error: `Nothing is sent to this address: it ${objection}.` };
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    const signal = AbortSignal.any([deadline, stopping]);
    try {
      const answer = await client(new URL(message.url), {
        method: 'POST',
        headers: headersOf(message, Math.floor(clock().getTime() / 1000)),
        body: message.payload,
        signal,
      });
      // The status says it all; how the rest arrives makes no difference.
      await discard(answer).catch(() => {});
      return judge(answer, clock());
    } catch (error) {
      if (stopping.aborted) return undefined;
      const { code } = toFetchError(deadline.aborted ? deadline.reason : error);
      return { status: null, error: SENTENCES[code] ?? UNREACHABLE };
    }
  };
}

/** Lets a consumer finish a short answer before the connection ends. */
async function discard({ body }: HttpAnswer): Promise<void> {
  let received = 0;
  for await (const part of body) {
    received += part.byteLength;
    if (received > MAX_ANSWER_BYTES) return;
  }
}

const headersOf = ({ secrets, eventId, payload }: Message, timestamp: number) => ({
  'content-type': 'application/json',
  'user-agent': 'lectern',
  'webhook-id': eventId,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': sign(secrets, { id: eventId, timestamp, body: payload }),
});

function judge({ status, headers }: HttpAnswer, now: Date): Outcome {
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

/** Seconds, or a date. */
function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

const UNREACHABLE = 'There was no connection to the consumer, or it broke off.';
const SENTENCES: Record<string, string> = {
  blocked_address: 'The address does not lead to the public Internet, so nothing is sent to it.',
  timeout: `The consumer did not answer within ${TIMEOUT_MS / 1000} seconds.`,
  tls: 'There is no safe connection to the consumer: its certificate is not trusted, or its encryption does not work.',
  broken_body: 'The consumer sent an answer that cannot be read.',
};
