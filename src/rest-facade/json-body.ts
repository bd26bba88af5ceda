import { pipeline, type Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { MAX_BODY_VALUES, parseJsonInSteps, TooManyValuesError } from '../async/parse-json.js';
import { runYielding } from '../async/steps.js';
import type { BodyMemory } from './body-memory.js';
import { requestError } from './request-errors.js';

interface JsonBodyOptions {
  /** In bytes. */
  limit: number;
  /** Whether bodies may be compressed. */
  inflate: boolean;
  /** Holds bodies until they are answered. */
  memory: BodyMemory;
  /** What a body of no bytes is read as. */
  empty: unknown;
}

/** Reads the JSON body of a REST request. */
export const parseJsonBody = (limit: number, memory: BodyMemory): RequestHandler[] => [
  requireJson,
  ...readJson({ limit, memory, inflate: true, empty: {} }),
];

/**
 * Reads a JSON body, if there is one. Text is decoded chunk by chunk, as it arrives: 16 MiB of Chinese as a whole take
 * 70 ms.
 */
export const readJson = ({ limit, inflate, memory, empty }: JsonBodyOptions): RequestHandler[] => [
  requireUtf8,
  checkContentLength(limit),
  readText({ limit, inflate, memory }),
  parse(empty),
  yieldToEventLoop,
];

const DECOMPRESSORS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Stops at what is too large, also where no end is announced, and counts what is unpacked. */
const readText =
  ({ limit, inflate, memory }: Pick<JsonBodyOptions, 'limit' | 'inflate' | 'memory'>): RequestHandler =>
  async (req, res, next) => {
    if (!req.is('json')) return next();
    const decoder = new StringDecoder('utf8');
    let received = 0;
    let text = '';
    try {
      for await (const chunk of openBody(req, { limit, inflate })) {
        received += chunk.length;
        if (received > limit) throw requestError('entity.too.large', '');
        memory.hold(res, chunk.length);
        // For rate limits.
        res.locals.countBody?.(chunk.length);
        text += decoder.write(chunk);
      }
    } catch (error) {
      memory.drop(res);
      return next(error);
    }
    req.body = text + decoder.end();
    next();
  };

/** The unpacked bytes of a body. */
function openBody(req: Request, options: Pick<JsonBodyOptions, 'limit' | 'inflate'>): AsyncIterable<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return readBody(req, options);
  const decompressor = options.inflate ? DECOMPRESSORS.get(encoding)?.() : undefined;
  if (!decompressor) throw requestError('encoding.unsupported', `unsupported content encoding "${encoding}"`);
  // What cannot be unpacked is the client's fault.
  decompressor.once('error', (error) => Object.assign(error, { status: 400 }));
  return pipeline(readBody(req, options), decompressor, () => {});
}

/** The bytes of a body as they come. */
async function* readBody(
  req: Request,
  { limit }: Pick<JsonBodyOptions, 'limit'>,
): AsyncGenerator<Buffer, void> {
  let received = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += chunk.length;
      if (received > limit) throw requestError('entity.too.large', '');
      yield chunk;
    }
  } catch (error) {
    throw req.complete || !req.destroyed
      ? error
      : requestError('request.aborted', 'The request was aborted.');
  }
}

/**
 * Yields to the event loop between parsing and handling a large body. What a client that left has sent is dropped: it
 * would be held in memory by nobody's name.
 */
const yieldToEventLoop: RequestHandler = (_req, res, next) => void setImmediate(() => res.closed || next());

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
  async (req, _res, next) => {
    const { body } = req;
    if (typeof body !== 'string') return next();
    req.body = body === '' ? empty : await runYielding(parseJsonInSteps(body)).catch(throwRequestError);
    next();
  };

function throwRequestError(error: Error): never {
  throw error instanceof TooManyValuesError
    ? requestError('json.too.many', `must hold at most ${MAX_BODY_VALUES} values`)
    : requestError('entity.parse.failed', error.message);
}
