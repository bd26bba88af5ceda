import type { Request, Response } from 'express';
import type { RateLimitedClient } from '../../rate-limit/rate-limiter.js';
import { clientNetworkOf } from '../request/client-network.js';
import { keyAccessOf } from './auth.js';

/** Whose rate limits apply: the key or the user of a token, and the tenant, or in open mode the address. Call it after authentication. */
export function rateLimitedClientOf(req: Request, res: Response): RateLimitedClient {
  const access = keyAccessOf(res);
  if (!access) return { address: clientNetworkOf(req) };
  const { keyId, user, tenantId } = access;
  return user
    ? { kind: 'user', callerId: user.key, tenantId }
    : { kind: 'key', callerId: keyId ?? '', tenantId };
}
