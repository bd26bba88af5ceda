import { TRPCError } from '@trpc/server';
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { ErrorType } from '../../errors/error-types.js';
import { DomainError } from '../../errors/errors.js';
import type { BodyMemory } from '../../rest-facade/body-memory.js';
import { toRestError } from '../../rest-facade/errors.js';
import { readJson } from '../../rest-facade/json-body.js';
import { toTrpcError } from '../../routers/index.js';

const CODES: Record<number, TRPCError['code']> = {
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

interface BodyLimits {
  maxJsonBytes: number;
  maxUploadBytes: number;
}

/** Reads JSON bodies of tRPC with the limits of REST bodies. */
export function readTrpcBody({ maxJsonBytes, maxUploadBytes }: BodyLimits, memory: BodyMemory): Router {
  const routes = Router();
  routes.use(
    requireMethod,
    requireType,
    checkFileLength(maxUploadBytes),
    ...readJson({ limit: maxJsonBytes, memory, inflate: false, empty: undefined }),
    toCallError,
  );
  return routes;
}

/** Fetch's requests, which tRPC reads, cannot have others. */
const requireMethod: RequestHandler = (req, _res, next) => {
  if (req.method !== 'TRACE') return next();
  return next(new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: 'TRACE is not allowed here.' }));
};

const FILE_PATH = '/files.upload';

/** tRPC would parse forms and files for any procedure, and reject other types with an untyped response. */
const requireType: RequestHandler = (req, _res, next) => {
  if (req.method !== 'POST' || req.is('application/json')) return next();
  if (req.path === FILE_PATH && req.is('application/octet-stream')) return next();
  const message = 'tRPC takes application/json, and files.upload takes application/octet-stream.';
  return next(new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message }));
};

/** tRPC would read it up to the limit. */
const checkFileLength =
  (maxBytes: number): RequestHandler =>
  (req, _res, next) =>
    next(
      req.path === FILE_PATH && Number(req.headers['content-length']) > maxBytes
        ? new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: 'The upload is larger than allowed.' })
        : undefined,
    );

const toCallError: ErrorRequestHandler = (error, _req, _res, next) => {
  const { status, detail } = toRestError(error, {});
  if (error instanceof TRPCError || status >= 500) return next(error);
  const [{ type, msg } = { type: 'invalid', msg: 'Bad request.' }] = detail;
  const code = CODES[status];
  return next(
    code
      ? new TRPCError({ code, message: msg })
      : toTrpcError(new DomainError('invalid', msg, [], type as ErrorType)),
  );
};
