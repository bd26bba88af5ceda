import type { RequestHandler } from 'express';
import { currentRequest, type RequestContext } from '../../request-context.js';

/** Cancels what a request has the database do. */
export type CancelStatements = (request: RequestContext) => void;

/** A read whose client disconnects is cancelled in the database as well. What a write has begun is ended. */
export const cancelReads =
  (cancel: CancelStatements): RequestHandler =>
  (req, res, next) => {
    const request = currentRequest();
    if (request && (req.method === 'GET' || req.method === 'HEAD')) {
      request.isCancellable = true;
      res.once('close', () => {
        if (!res.writableFinished) cancel(request);
      });
    }
    next();
  };
