export type ParseErrorCode =
  | 'empty_text'
  | 'encrypted'
  | 'scanned'
  | 'unknown_characters'
  | 'corrupt'
  | 'unsupported_type'
  | 'too_large';

/** Why a file gives no text; `message` is one sentence that says what its owner can do. */
export class FileError extends Error {
  override readonly name: string = 'FileError';

  constructor(
    readonly code: ParseErrorCode | 'too_much_text',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why a file, or one within it, cannot be parsed. */
export class ParseError extends FileError {
  override readonly name = 'ParseError';

  constructor(code: ParseErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

export const corruptFileError = (what: string, cause?: unknown): ParseError =>
  new ParseError('corrupt', `The ${what} is damaged or incomplete; open it, save it again and upload that.`, {
    cause,
  });

export const tooComplexError = (): ParseError =>
  new ParseError(
    'too_large',
    'The file is nested or divided more than can be processed; split it into smaller ones.',
  );

/** The limit of the whole file, files within it included: no part is left out in its place. */
export const tooMuchTextError = (): FileError =>
  new FileError(
    'too_much_text',
    'This file gives more text than one document may have; split it into smaller files, or take out what it repeats, and upload that.',
  );
