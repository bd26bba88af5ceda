import type { JWK } from 'jose';

/** Most keys in the set of an issuer. */
export const MAX_KEYS = 100;
const MAX_KEY_ID_LENGTH = 255;
const MIN_RSA_BITS = 2_048;
/** Longer ones take milliseconds of a processor for each signature. */
const MAX_RSA_BITS = 8_192;
const MAX_EXPONENT_BYTES = 4;
const CURVES: Record<string, readonly unknown[]> = {
  EC: ['P-256', 'P-384', 'P-521'],
  OKP: ['Ed25519'],
};
/** What is read of a key. */
const MEMBERS = ['kty', 'kid', 'alg', 'crv', 'n', 'e', 'x', 'y'] as const;

/**
 * The public keys of a key set that can verify signatures; others are left out.
 *
 * @throws Error if it is no key set, or has no such key
 */
export function readKeys(set: unknown): JWK[] {
  const { keys } = (set ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('The key set has no list of keys.');
  if (keys.length > MAX_KEYS) throw new Error(`The key set has more than ${MAX_KEYS} keys.`);
  const usable = keys.flatMap((one) => readKey(one) ?? []);
  if (usable.length === 0) throw new Error('The key set has no public key that can verify signatures.');
  return usable;
}

function readKey(given: unknown): JWK | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const all = given as Record<string, unknown>;
  // A key whose private part is published is nobody's any more.
  if ('d' in all || 'k' in all || (all.use !== undefined && all.use !== 'sig')) return undefined;
  const operations = all.key_ops;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
    return undefined;
  const key: Record<string, string> = {};
  for (const name of MEMBERS) {
    const value = all[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') return undefined;
    key[name] = value;
  }
  if (key.kid !== undefined && key.kid.length > MAX_KEY_ID_LENGTH) return undefined;
  return isStrong(key) ? key : undefined;
}

function isStrong({ kty = '', crv, n = '', e = '' }: Record<string, string>): boolean {
  if (kty !== 'RSA') return Object.hasOwn(CURVES, kty) && (CURVES[kty]?.includes(crv) ?? false);
  const bits = bitLength(n);
  return (
    bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS && Buffer.from(e, 'base64url').length <= MAX_EXPONENT_BYTES
  );
}

function bitLength(number: string): number {
  const bytes = Buffer.from(number, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
}
