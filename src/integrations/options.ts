import type { Request, Response } from 'express';
import type { BodyMemory } from '../rest-facade/body-memory.js';
import type { Caller } from './caller.js';

/** What every integration is served with. */
export interface IntegrationOptions {
  /** Makes the calls of procedures of a request. */
  callerOf(req: Request, res: Response): Caller;
  bodyMemory: BodyMemory;
  maxJsonBytes: number;
  maxPageSize: number;
}
