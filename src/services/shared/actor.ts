/** On whose behalf something is done, and from where. */
export interface Actor {
  /** The user that the caller names in `X-User-Id`. */
  userId: string | undefined;
  /** The id of the API key that the request came with. */
  keyId?: string | undefined;
  address?: string | undefined;
  requestId?: string | undefined;
  /** The caller may send this write again, and wants it done once. */
  idempotency?: IdempotencyContext | undefined;
}

export interface IdempotencyContext {
  /** As the caller chose it; the same one of another user, or with another API key, is another. */
  key: string;
  /** Of the operation and its input: another one under the same key is refused. */
  fingerprint: Buffer;
  /** Told when the answer is that of an earlier call. */
  onReplay?: () => void;
}

/** Who is on record as the author of a change. */
export const authorOf = ({ userId, keyId }: Actor): string | null => userId ?? keyId ?? null;
