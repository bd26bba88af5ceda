import type { Request, Response } from 'express';
import type { Caller } from '../access/limits/limiter.js';
import { networkOf } from './caller-network.js';
import { accessOf } from './guard.js';

/** Who is counted for a request that the guard knows: its key and tenant, or, where nobody has a key, its address. */
export function callerOf(req: Request, res: Response): Caller {
  const access = accessOf(res);
  return access ? { keyId: access.keyId, tenantId: access.tenantId } : { address: networkOf(req) };
}
