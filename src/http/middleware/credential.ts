import type { Request } from 'express';
import { sessionTokenOf } from './session-cookie.js';

/** What a request authenticates with. */
export interface Credential {
  kind: 'key' | 'session';
  text: string;
}

/** The only path that takes sessions: forms of other pages can be sent to REST. */
const SESSION_PATH = /^\/trpc(\/|$)/i;

/** The credential of a request; undefined if missing or ambiguous. A key takes precedence over a session. */
export function credentialOf(req: Request): Credential | undefined {
  const [key, ...others] = readKeys(req);
  if (others.length > 0) return undefined;
  if (key !== undefined) return { kind: 'key', text: key };
  const token = SESSION_PATH.test(req.path) ? sessionTokenOf(req) : undefined;
  return token === undefined ? undefined : { kind: 'session', text: token };
}

/** All distinct keys of a request, from X-Api-Key and Authorization. */
export function readKeys(req: Request): string[] {
  const [, token] = /^bearer +([^ ].*|)$/i.exec(req.get('authorization') ?? '') ?? [];
  return [...new Set([req.get('x-api-key'), token].filter((key) => key !== undefined))];
}
