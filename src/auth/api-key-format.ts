import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefix for secret scanners. */
const PREFIX = 'lectern_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
/** 256 bits in base 62. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

const PATTERN = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** An API key: public id and secret. */
export interface ApiKeyParts {
  id: string;
  secret: string;
}

/** Generates a random key. */
export const generateApiKey = (): ApiKeyParts => ({
  id: randomText(ID_LENGTH),
  secret: randomText(SECRET_LENGTH),
});

/** Formats a key: `lectern_<id>_<secret><checksum>`. */
export function formatApiKey({ id, secret }: ApiKeyParts): string {
  const text = `${PREFIX}${id}_${secret}`;
  return text + checksumOf(text);
}

/** Parses a formatted key; undefined if the form or checksum is wrong. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const [, id, secret, checksum] = PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  return checksum === checksumOf(text.slice(0, -CHECKSUM_LENGTH)) ? { id, secret } : undefined;
}

/** The stored hash. A fast hash suffices for 256 random bits. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const randomText = (length: number): string =>
  Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join('');

function checksumOf(text: string): string {
  let [rest, digits] = [crc32(text), ''];
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
