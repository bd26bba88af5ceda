/**
 * Why texts were not embedded.
 * - `text-refused`: the endpoint refuses what is in the request, such as a text that is too long
 * - `refused`: it refuses every request: a wrong key, an unknown model
 * - `limited`: too many requests
 * - `other-dimensions`: its vectors have other dimensions than were asked for, or than those that are stored
 * - `unavailable`: no answer, or none that can be used
 */
export type EmbeddingFailure = 'text-refused' | 'refused' | 'limited' | 'other-dimensions' | 'unavailable';

/** Its message is for operators, and names no text and no key. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';

  constructor(
    readonly failure: EmbeddingFailure,
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

/** A message for operators that says what to do. */
export function toOperatorMessage(error: unknown): string {
  if (error instanceof EmbeddingError) return `${error.message} ${adviceFor(error)}`.trimEnd();
  return error instanceof Error ? error.message : String(error);
}

function adviceFor({ failure, details: { status } }: EmbeddingError): string {
  if (failure === 'other-dimensions') return '';
  if (failure === 'limited') return 'Check the limits of the account.';
  if (failure === 'text-refused') return 'Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.';
  if (status === 401 || status === 403) return 'Check EMBEDDING_API_KEY.';
  if (status === 404) {
    return 'Check EMBEDDING_MODEL, and that EMBEDDING_URL is the address of the API, which mostly ends with /v1.';
  }
  return 'Check EMBEDDING_URL, and whether the endpoint runs.';
}
