export type ParseErrorCode =
  | 'empty_text'
  | 'encrypted'
  | 'scanned'
  | 'corrupt'
  | 'unsupported_type'
  | 'too_large';

/** Why a file gives no text; `message` is one sentence that tells its owner what to do. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** The same bytes fail again. */
  readonly retryable = false;

  constructor(
    readonly code: ParseErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const corrupt = (what: string, cause?: unknown): ParseError =>
  new ParseError('corrupt', `The ${what} is damaged or incomplete; open it, save it anew and upload that.`, {
    cause,
  });
