import { randomBytes } from 'node:crypto';

const ID_BYTES = 12;
const SECRET_BYTES = 32;

/** Both parts in base64url: 12 and 32 bytes. */
const PATTERN = /^([\w-]{16})\.([\w-]{43})$/;

/** A session: public id and secret. */
export interface SessionParts {
  id: string;
  secret: string;
}

/** Generates a random session. */
export const generateSession = (): SessionParts => ({
  id: randomBytes(ID_BYTES).toString('base64url'),
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
});

/** Formats a session for its cookie: `<id>.<secret>`. */
export const formatSession = ({ id, secret }: SessionParts): string => `${id}.${secret}`;

/** Parses a formatted session; undefined if the form is wrong. */
export function parseSession(text: string): SessionParts | undefined {
  const [, id, secret] = PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}
