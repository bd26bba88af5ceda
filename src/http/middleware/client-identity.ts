import type { Request, Response } from 'express';
import type { RateLimitedClient } from '../../rate-limit/rate-limiter.js';
import { clientNetworkOf } from '../request/client-network.js';
import { keyAccessOf } from './auth.js';

/** Who is counted for a request that the guard knows: its key and tenant, or, where nobody has a key, its address. */
export function rateLimitedClientOf(req: Request, res: Response): RateLimitedClient {
  const access = keyAccessOf(res);
  return access ? { keyId: access.keyId, tenantId: access.tenantId } : { address: clientNetworkOf(req) };
}
