/** Why a token is refused: a sentence for operators, never for the caller. It holds nothing of the token. */
export class RefusedTokenError extends Error {
  override readonly name = 'RefusedTokenError';

  constructor(
    readonly reason: string,
    /** The configured issuer that the token names, if it does. */
    readonly issuer?: string,
  ) {
    super(reason);
  }
}
