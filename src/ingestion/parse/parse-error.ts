import { IngestionError } from '../ingestion-error.js';

export type ParseErrorCode =
  | 'empty_text'
  | 'encrypted'
  | 'scanned'
  | 'unknown_characters'
  | 'corrupt'
  | 'unsupported_type'
  | 'too_large';

/** Why a file cannot be parsed. Not retryable. */
export class ParseError extends IngestionError {
  override readonly name = 'ParseError';

  constructor(code: ParseErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, false, options);
  }
}

export const corruptFileError = (what: string, cause?: unknown): ParseError =>
  new ParseError('corrupt', `The ${what} is damaged or incomplete; open it, save it anew and upload that.`, {
    cause,
  });

export const tooComplexError = (): ParseError =>
  new ParseError(
    'too_large',
    'The file is nested or divided more than can be processed; split it into smaller ones.',
  );
