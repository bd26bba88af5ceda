import type { RequestHandler } from 'express';
import { onFinished } from '../request/on-finished.js';
import { type RequestContext, withRequest } from '../request/request-context.js';

/** Cancels what a request has the database do. */
export type CancelStatements = (request: RequestContext) => void;

/** What integrations and MCP are asked for are reads, whatever the method; tools of MCP that write say so. */
const READS = /^\/(?:integrations\/|mcp\/?$)/i;

/** A read whose client disconnects is cancelled in the database as well. What a write has begun is ended. */
export const cancelReads =
  (cancel: CancelStatements): RequestHandler =>
  (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD' && !READS.test(req.path)) return next();
    const request: RequestContext = {};
    // Its client may have left while the key was looked up.
    onFinished(res, () => {
      if (!res.writableFinished && !request.isWrite) cancel(request);
    });
    withRequest(request, next);
  };
