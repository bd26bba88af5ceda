import express, { type RequestHandler, type Response } from 'express';
import { runYielding } from '../async/steps.js';
import { isWithinValueLimitInSteps, MAX_BODY_VALUES } from './json-value-limit.js';
import { requestError } from './request-errors.js';

/** Reads the JSON body of a REST request. */
export const parseJsonBody = (limit: number): RequestHandler[] => [
  requireJson,
  ...readText({ limit }),
  parse,
  yieldToEventLoop,
];

/** Reads the JSON body of a tRPC request as text; the adapter parses it. */
export const readJsonBodyText = (limit: number): RequestHandler[] => [
  ...readText({ limit, inflate: false }),
  yieldToEventLoop,
];

/** Text is decoded chunk by chunk, as it arrives: as a whole 16 MiB of Chinese take 70 ms. */
const readText = (options: { limit: number; inflate?: boolean }): RequestHandler[] => [
  requireUtf8,
  checkContentLength(options.limit),
  express.text({ type: 'json', ...options }),
  checkValues,
];

/** Yields to the event loop between parsing and handling a large body. */
const yieldToEventLoop: RequestHandler = (_req, _res, next) => void setImmediate(next);

const requireJson: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0;
  if (!hasBody || req.is('json')) next();
  else next(requestError('media.unsupported', 'This endpoint takes application/json.'));
};

const requireUtf8: RequestHandler = (req, _res, next) => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(req.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (charset.toLowerCase() === 'utf-8') next();
  else next(requestError('charset.unsupported', `unsupported charset "${charset}"`));
};

/** The parser would read the whole body before rejecting it. */
const checkContentLength =
  (limit: number): RequestHandler =>
  (req, _res, next) => {
    next(Number(req.headers['content-length']) > limit ? requestError('entity.too.large', '') : undefined);
  };

const checkValues: RequestHandler = async ({ body }, res, next) => {
  if (typeof body !== 'string') return next();
  // Rate limits count decompressed bytes.
  (res as Response).locals.countUnpacked?.(Buffer.byteLength(body));
  if (await runYielding(isWithinValueLimitInSteps(body))) return next();
  throw requestError('json.too.many', `must hold at most ${MAX_BODY_VALUES} values`);
};

const parse: RequestHandler = (req, _res, next) => {
  if (typeof req.body !== 'string') return next();
  try {
    req.body = req.body === '' ? {} : JSON.parse(req.body);
  } catch (error) {
    return next(requestError('entity.parse.failed', (error as Error).message));
  }
  next();
};
