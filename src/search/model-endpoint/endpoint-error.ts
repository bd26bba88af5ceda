/**
 * Why an endpoint that runs a model gave nothing.
 * - `text-refused`: it refuses what is in the request, such as a text that is too long
 * - `refused`: it refuses every request: a wrong key, an unknown model
 * - `limited`: too many requests
 * - `other-dimensions`: its vectors have other dimensions than were asked for, or than those that are stored
 * - `unavailable`: no answer, or none that can be used
 */
export type EndpointFailure = 'text-refused' | 'refused' | 'limited' | 'other-dimensions' | 'unavailable';

/** Its message is for operators, and names no text and no key. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';

  constructor(
    readonly failure: EndpointFailure,
    message: string,
    readonly details: {
      /** That the endpoint answered. */
      status?: number | undefined;
      /** When the endpoint asks to come back. */
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/** @param endpoint what it is, such as "embedding endpoint" */
export const unusable = (endpoint: string, what: string): EndpointError =>
  new EndpointError('unavailable', `The ${endpoint}'s answer cannot be used: ${what}.`);
