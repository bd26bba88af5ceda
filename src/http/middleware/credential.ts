import type { Request } from 'express';
import { TENANT_ID, type TokenUse } from '../../auth/tokens/authenticate-token.js';
import { isMcpPath } from '../../auth/tokens/mcp-resource.js';
import { isToken } from '../../auth/tokens/token-form.js';
import { sessionTokenOf } from './session-cookie.js';

/** What a request authenticates with. */
export interface Credential {
  kind: 'key' | 'token' | 'session';
  text: string;
  /** Of a request with a token, which may be for several tenants, or for MCP alone. */
  use?: TokenUse;
}

/** The only path that takes sessions: forms of other pages can be sent to REST. */
const SESSION_PATH = /^\/trpc(\/|$)/i;

/** The credential of a request; undefined if missing or ambiguous. Keys and tokens take precedence over a session. */
export function credentialOf(req: Request): Credential | undefined {
  const [key, ...others] = readKeys(req);
  if (others.length > 0) return undefined;
  if (key !== undefined)
    return isToken(key) ? { kind: 'token', text: key, use: useOf(req) } : { kind: 'key', text: key };
  const token = SESSION_PATH.test(req.path) ? sessionTokenOf(req) : undefined;
  return token === undefined ? undefined : { kind: 'session', text: token };
}

function useOf(req: Request): TokenUse {
  const header = req.get(TENANT_ID);
  const [, query = ''] = req.originalUrl.split('?', 2);
  return {
    // Header values arrive as Latin-1; clients send UTF-8.
    header: header ? Buffer.from(header, 'latin1').toString('utf8') : undefined,
    query: new URLSearchParams(query).get('tenantId') || undefined,
    isMcp: isMcpPath(req.path),
  };
}

/** All distinct keys and tokens of a request, from X-Api-Key and Authorization. */
export function readKeys(req: Request): string[] {
  const [, token] = /^bearer +([^ ].*|)$/i.exec(req.get('authorization') ?? '') ?? [];
  return [...new Set([req.get('x-api-key'), token].filter((key) => key !== undefined))];
}
