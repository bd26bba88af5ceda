import { getTRPCErrorShape, type TRPCError } from '@trpc/server';
import type { ErrorRequestHandler } from 'express';
import { sendError } from '../../rest-facade/error-handler.js';
import { appRouter } from '../../routers/index.js';
import type { LogError } from '../request/log-error.js';
import { trpcBatchSize } from '../request/trpc-batch-size.js';

/**
 * Error handler of /trpc: responds to rejected requests in tRPC's error shape. tRPC itself would resolve the
 * procedure first, and open a stream for the error.
 */
export const trpcErrorResponse =
  (reportError: LogError): ErrorRequestHandler =>
  (error: TRPCError, req, res, _next) => {
    if (error.code === 'INTERNAL_SERVER_ERROR') reportError(error.cause ?? error, res);
    const shape = getTRPCErrorShape({
      config: appRouter._def._config,
      error,
      type: 'unknown',
      path: undefined,
      input: undefined,
      ctx: undefined,
    });
    const answer = { error: shape };
    // A JSONL batch gets a single error.
    const isList = req.headers['trpc-accept'] !== 'application/jsonl';
    const count = isList ? trpcBatchSize(req) : undefined;
    const body = count === undefined ? answer : Array(count).fill(answer);
    sendError(req, res, shape.data.httpStatus, body);
  };
