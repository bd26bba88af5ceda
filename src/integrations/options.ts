import type { Request, Response } from 'express';
import type { BodyMemory } from '../rest-facade/body-memory.js';
import type { CreateCall } from './caller.js';

/** What every integration is served with. */
export interface IntegrationOptions {
  createCall: CreateCall<Request, Response>;
  bodyMemory: BodyMemory;
  maxJsonBytes: number;
  /** Of requests without a key that name no tenant. */
  defaultTenantUnit: { tenantId: string };
}
