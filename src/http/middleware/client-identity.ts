import type { Request, Response } from 'express';
import type { RateLimitedClient } from '../../rate-limit/rate-limiter.js';
import { clientNetworkOf } from '../request/client-network.js';
import { keyAccessOf } from './auth.js';

/** Whose rate limits apply: the key and tenant, or in open mode the address. Call it after authentication. */
export function rateLimitedClientOf(req: Request, res: Response): RateLimitedClient {
  const access = keyAccessOf(res);
  return access ? { keyId: access.keyId, tenantId: access.tenantId } : { address: clientNetworkOf(req) };
}
