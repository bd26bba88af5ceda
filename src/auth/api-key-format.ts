import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Secret scanners know our keys by it. */
const PREFIX = 'lectern_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
/** As many digits as 256 bits need. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

const PATTERN = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** The two parts of an API key: its public name, and what only its bearer knows. */
export interface ApiKeyParts {
  id: string;
  secret: string;
}

/** A new key, made of chance alone. */
export const generateApiKey = (): ApiKeyParts => ({
  id: randomText(ID_LENGTH),
  secret: randomText(SECRET_LENGTH),
});

/** A key as its bearer gets it: `lectern_<id>_<secret><checksum>`. */
export function formatApiKey({ id, secret }: ApiKeyParts): string {
  const text = `${PREFIX}${id}_${secret}`;
  return text + checksumOf(text);
}

/** Reads what `formatKey` wrote; of anything else, typing errors included, nothing. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const [, id, secret, checksum] = PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  return checksum === checksumOf(text.slice(0, -CHECKSUM_LENGTH)) ? { id, secret } : undefined;
}

/** What is kept of a secret. With 256 bits of chance in it, nobody finds it by trying, so that a fast hash will do. */
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
