/**
 * Why texts were not embedded.
 * - `text-refused`: the endpoint refuses what is in the request, such as a text that is too long
 * - `refused`: it refuses every request: a wrong key, an unknown model
 * - `limited`: too many requests
 * - `unavailable`: no answer, or none that can be used
 */
export type EmbeddingFailure = 'text-refused' | 'refused' | 'limited' | 'unavailable';

/** Its message is for operators, and names no text and no key. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';

  constructor(
    readonly failure: EmbeddingFailure,
    message: string,
    readonly details: {
      /** When the endpoint asks to come back. */
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
  }
}
