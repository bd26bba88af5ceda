/** The endpoints that run models. */
export type ModelEndpoint = 'embedding' | 'rerank' | 'extraction';

/**
 * Why an endpoint gave nothing.
 * - `unauthorized`, `quota-exhausted`, `not-found`: it refuses every request; the last for its model or address
 * - `rate-limited`: too many requests
 * - `too-long`, `bad-request`: it refuses what is in this request
 * - `other-dimensions`: its vectors have other dimensions than were asked for, or than those that are stored
 * - `unavailable`, `timed-out`, `malformed`: no answer, or none that can be used
 */
export const endpointFailures = [
  'unauthorized',
  'quota-exhausted',
  'not-found',
  'rate-limited',
  'too-long',
  'bad-request',
  'other-dimensions',
  'unavailable',
  'timed-out',
  'malformed',
] as const;
export type EndpointFailure = (typeof endpointFailures)[number];

interface EndpointErrorDetails {
  /** That the endpoint answered. */
  status?: number | undefined;
  /** When the endpoint asks to come back. */
  retryAfterMs?: number | undefined;
  /** The endpoint's own words, which may repeat texts and keys: for the log at level debug, and nobody else. */
  said?: string | undefined;
}

/** Its message is ours: it has no text, no key and no word of the endpoint's. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';

  constructor(
    readonly endpoint: ModelEndpoint,
    readonly failure: EndpointFailure,
    message: string,
    readonly details: EndpointErrorDetails = {},
  ) {
    super(message);
  }

  /** Whether another request may be answered: this one has something that the endpoint refuses. */
  get isOfRequest(): boolean {
    return this.failure === 'too-long' || this.failure === 'bad-request';
  }

  /** Whether there was no answer, or none that can be used. */
  get isOutage(): boolean {
    return ['unavailable', 'timed-out', 'malformed'].includes(this.failure);
  }
}

export const unusable = (endpoint: ModelEndpoint, what: string): EndpointError =>
  new EndpointError(endpoint, 'malformed', `The ${endpoint} endpoint's answer cannot be used: ${what}.`);
