import type { RequestHandler } from 'express';
import { nameClient } from '../connections/unread-answers.js';
import { rateLimitedClientOf } from './client-identity.js';

/** Counts the answer for the tenant, or in open mode for the address, until it is read. Runs after authentication. */
export const nameClientOfConnection: RequestHandler = (req, res, next) => {
  const client = rateLimitedClientOf(req, res);
  nameClient(req.socket, 'tenantId' in client ? `tenant ${client.tenantId}` : client.address);
  next();
};
