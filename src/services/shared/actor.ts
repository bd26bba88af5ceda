/** Who does something, and from where. */
export interface Actor {
  /** The user that the caller names in `X-User-Id`, or of its token. */
  userId: string | undefined;
  /** The id of the API key that the request came with. */
  keyId?: string | undefined;
  /** Of a request with a token: see `TokenUser`. */
  userKey?: string | undefined;
  /** Likewise the issuer, and the name that it gives the user. */
  userIssuer?: string | undefined;
  userName?: string | undefined;
  /** Whether it is a request without API key or token, in open mode. */
  isAnonymous?: boolean;
  address?: string | undefined;
  requestId?: string | undefined;
  /** Aborts when the key or session is no longer valid: what it has not begun to write is dropped. */
  signal?: AbortSignal | undefined;
  /** Set if the request has an Idempotency-Key. */
  idempotency?: IdempotencyContext | undefined;
}

export interface IdempotencyContext {
  /** The client's idempotency key; scoped to user and API key. */
  key: string;
  /** Hash of procedure and input; a different one under the same key is rejected. */
  fingerprint: Buffer;
  /** Called when a stored result is returned. */
  onReplay?: () => void;
}

/** Whether the caller has authenticated, by an API key or a token. */
export const isAuthenticated = ({ keyId, userKey }: Actor): boolean => (keyId ?? userKey) !== undefined;

/** The author of a change. */
export const authorOf = ({ userId, keyId }: Actor): string | null => userId ?? keyId ?? null;
