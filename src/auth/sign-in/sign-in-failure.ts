/** What the sign-in screen explains; its messages are in `web/src/app/messages.en.ts`. */
export const signInFailures = [
  /** The user or the provider said no. */
  'denied',
  /** This browser did not begin it, or too long ago; or it was ended before. */
  'expired',
  /** The provider does not answer. */
  'unavailable',
  /** The provider does not know the client, or what it asks for. */
  'misconfigured',
  /** The user has no access here. */
  'refused',
  /** The user has several tenants. */
  'tenant',
  /** A server that Lectern depends on is away. */
  'failed',
  /** Too many failures of this address. */
  'limited',
] as const;
export type SignInFailureCode = (typeof signInFailures)[number];

/** Why somebody is not signed in: a code for the screen, and a sentence for operators. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';

  constructor(
    readonly code: SignInFailureCode,
    /** Holds nothing of tokens. */
    readonly reason: string,
    { cause, tenantIds = [] }: { cause?: unknown; tenantIds?: readonly string[] } = {},
  ) {
    super(reason, { cause });
    this.tenantIds = tenantIds;
  }

  /** To choose from. */
  readonly tenantIds: readonly string[];
  /** Where the browser wanted to go, if that is known. */
  returnTo: string | undefined;
}
