import express, { type RequestHandler, type Response } from 'express';
import { runYielding } from '../async/steps.js';
import { MAX_BODY_VALUES, parseJsonInSteps, TooManyValuesError } from './parse-json.js';
import { requestError } from './request-errors.js';

interface JsonBodyOptions {
  /** In bytes. */
  limit: number;
  /** Whether bodies may be compressed. */
  inflate: boolean;
  /** What a body of no bytes is read as. */
  empty: unknown;
}

/** Reads the JSON body of a REST request. */
export const parseJsonBody = (limit: number): RequestHandler[] => [
  requireJson,
  ...readJson({ limit, inflate: true, empty: {} }),
];

/**
 * Reads a JSON body, if there is one. Text is decoded chunk by chunk, as it arrives: 16 MiB of Chinese as a whole take
 * 70 ms.
 */
export const readJson = ({ limit, inflate, empty }: JsonBodyOptions): RequestHandler[] => [
  requireUtf8,
  checkContentLength(limit),
  readText({ limit, inflate }),
  parse(empty),
  yieldToEventLoop,
];

/** The parser would read a body to its end before refusing it, and one of undeclared length may have none. */
function readText({ limit, inflate }: Pick<JsonBodyOptions, 'limit' | 'inflate'>): RequestHandler {
  const read = express.text({ type: 'json', limit, inflate });
  return (req, res, next) => {
    let received = 0;
    let isDone = false;
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) done(requestError('entity.too.large', ''));
    };
    const done = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      req.off('data', count);
      next(error);
    };
    if (req.headers['transfer-encoding'] !== undefined && req.is('json')) req.on('data', count);
    read(req, res, done);
  };
}

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
    const isTooLarge = req.is('json') && Number(req.headers['content-length']) > limit;
    next(isTooLarge ? requestError('entity.too.large', '') : undefined);
  };

const parse =
  (empty: unknown): RequestHandler =>
  async (req, res, next) => {
    const { body } = req;
    if (typeof body !== 'string') return next();
    // Rate limits count decompressed bytes.
    (res as Response).locals.countUnpacked?.(Buffer.byteLength(body));
    req.body = body === '' ? empty : await runYielding(parseJsonInSteps(body)).catch(throwRequestError);
    next();
  };

function throwRequestError(error: Error): never {
  throw error instanceof TooManyValuesError
    ? requestError('json.too.many', `must hold at most ${MAX_BODY_VALUES} values`)
    : requestError('entity.parse.failed', error.message);
}
