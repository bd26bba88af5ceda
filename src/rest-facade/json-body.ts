import express, { type RequestHandler, type Response } from 'express';
import { isWithinValueLimit, MAX_BODY_VALUES } from './json-value-limit.js';
import { requestError } from './request-errors.js';

/** Reads the JSON body of a REST request. */
export const parseJsonBody = (limit: number): RequestHandler[] => [
  requireJson,
  checkContentLength(limit),
  express.json({ limit, strict: false, verify }),
  yieldToEventLoop,
];

/** Reads the JSON body of a tRPC request as text; the adapter parses it. */
export const readJsonBodyText = (limit: number): RequestHandler[] => [
  checkContentLength(limit),
  express.raw({ type: 'json', limit, inflate: false, verify }),
  (req, _res, next) => {
    if (Buffer.isBuffer(req.body)) req.body = req.body.toString();
    next();
  },
  yieldToEventLoop,
];

/** Yields to the event loop between parsing and handling a large body. */
const yieldToEventLoop: RequestHandler = (_req, _res, next) => void setImmediate(next);

const requireJson: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(req.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (hasBody && !req.is('json')) {
    next(requestError('media.unsupported', 'This endpoint takes application/json.'));
  } else if (charset.toLowerCase() !== 'utf-8') {
    next(requestError('charset.unsupported', `unsupported charset "${charset}"`));
  } else next();
};

/** The parser would read the whole body before rejecting it. */
const checkContentLength =
  (limit: number): RequestHandler =>
  (req, _res, next) => {
    next(Number(req.headers['content-length']) > limit ? requestError('entity.too.large', '') : undefined);
  };

function verify(_req: unknown, res: unknown, body: Buffer): void {
  // Rate limits count decompressed bytes.
  (res as Response).locals.countUnpacked?.(body.length);
  if (isWithinValueLimit(body)) return;
  throw requestError('json.too.many', `must hold at most ${MAX_BODY_VALUES} values`);
}
