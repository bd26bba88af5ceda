import type { RequestHandler } from 'express';
import { nameClient } from '../connections/unread-answers.js';
import { rateLimitedClientOf } from './client-identity.js';

/** Counts body and answer for the tenant, or in open mode for the address. Runs after authentication. */
export const nameClientOfConnection: RequestHandler = (req, res, next) => {
  const client = rateLimitedClientOf(req, res);
  res.locals.client = 'tenantId' in client ? `tenant ${client.tenantId}` : client.address;
  nameClient(req.socket, res.locals.client);
  next();
};
