import { createHmac } from 'node:crypto';
import type { Access } from './access.js';
import { ApiError } from './errors.js';

const refuse = (message: string) => new ApiError(403, 'invalid_api_key', message, 'auth');

/** The permissions of a tenant token, which a search key signs; undefined where it is none. */
export function readTenantToken(
  token: string,
  findKey: (uid: string) => { key: string; actions: string[] } | undefined,
): Access | undefined {
  const [header = '', payload = '', signature, more] = token.split('.');
  if (signature === undefined || more !== undefined) return undefined;
  const { apiKeyUid, searchRules, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const key = findKey(apiKeyUid);
  if (!key) return undefined;
  const expected = createHmac('sha256', key.key).update(`${header}.${payload}`).digest('base64url');
  if (signature !== expected) throw refuse('Could not decode tenant token, InvalidSignature.');
  const now = Math.floor(Date.now() / 1000);
  if (exp !== undefined && exp < now) {
    throw refuse(`Tenant token expired. Was valid up to \`${exp}\` and we're now \`${now}\`.`);
  }
  const indexes = Object.keys(searchRules);
  return {
    indexes,
    may: (action) => action === 'search' && key.actions.includes('search'),
    reaches: (uid) => indexes.includes(uid),
    filterOf: (uid) => searchRules[uid]?.filter,
    isToken: true,
  };
}
