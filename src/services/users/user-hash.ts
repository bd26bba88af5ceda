import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Each erasure has its own. */
export const makeHashSecret = (): string => randomBytes(32).toString('base64url');

/** What is kept of a user id: with the secret it can be recognized, but not read. */
export const hashUser = (hashSecret: string, userId: string): string =>
  createHmac('sha256', hashSecret).update(userId).digest('hex');

export const isUser = (
  { hashSecret, userHash }: { hashSecret: string; userHash: string },
  userId: string,
): boolean => {
  const expected = Buffer.from(userHash);
  const found = Buffer.from(hashUser(hashSecret, userId));
  return expected.length === found.length && timingSafeEqual(expected, found);
};

/** What the audit log has in place of the user id. */
export const pseudonymOf = (userHash: string): string => `erased:${userHash.slice(0, 16)}`;
