import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { toErrorBody } from '../errors/error-body.js';
import { RETRY_AFTER_SECONDS } from '../errors/errors.js';
import { toRestError } from './errors.js';
import { LINGER_MS, readOn } from './read-on.js';

/** Express error handler: responds with the documented body. */
export const errorHandler =
  (reportError: (error: unknown, res: Response) => void): ErrorRequestHandler =>
  (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const { status, detail } = toRestError(error, res.locals.input ?? {});
    if (status >= 500 && status !== 503) reportError(error, res);
    sendError(req, res, status, toErrorBody(...detail));
  };

/** Responds with an error, with `Retry-After` during an outage, also to a client that is still sending. */
export function sendError(req: Request, res: Response, status: number, body: unknown): void {
  if (status === 503) res.set('Retry-After', String(RETRY_AFTER_SECONDS));
  res.status(status);
  if (req.complete) res.json(body);
  else sendAndClose(req, res, JSON.stringify(body));
}

/**
 * Responds before the body is read, then closes the connection. Closing at once would reset it before the
 * client reads the response.
 */
function sendAndClose(req: Request, res: Response, body: string): void {
  res.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) }).type('json');
  res.write(body);
  const end = () => {
    clearTimeout(linger);
    res.end();
  };
  const linger = setTimeout(end, LINGER_MS);
  req.once('end', end).once('close', end);
  readOn(req);
}

export const notFoundHandler: RequestHandler = (_req, res) => {
  res.status(404).json(toErrorBody({ type: 'not_found', loc: ['path'], msg: 'No such path.' }));
};

/** @param methods those that the path has */
export const methodNotAllowedHandler =
  (methods: string[]): RequestHandler =>
  (req, res) => {
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const error = { type: 'method_not_allowed', loc: ['path'], msg: `${req.method} is not allowed here.` };
    res.status(405).set('Allow', allowed.join(', ')).json(toErrorBody(error));
  };
