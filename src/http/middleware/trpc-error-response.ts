import { getTRPCErrorShape, TRPCError } from '@trpc/server';
import type { ErrorRequestHandler } from 'express';
import { sendError } from '../../rest-facade/error-handler.js';
import { appRouter, toTrpcError } from '../../routers/index.js';
import type { LogError } from '../request/log-error.js';
import { MAX_BATCH_SIZE, trpcBatchSize } from '../request/trpc-batch-size.js';

/**
 * Error handler of /trpc: responds to rejected requests in tRPC's error shape. tRPC itself would resolve the
 * procedure first, and open a stream for the error.
 */
export const trpcErrorResponse =
  (reportError: LogError): ErrorRequestHandler =>
  (thrown, req, res, _next) => {
    const error = thrown instanceof TRPCError ? thrown : toTrpcError(thrown);
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
    const count = trpcBatchSize(req) ?? Number.POSITIVE_INFINITY;
    // As tRPC itself, a single error for JSONL batches, and for batches that are too large: 16 KiB of commas would get 4 MB.
    const isList = count <= MAX_BATCH_SIZE && req.headers['trpc-accept'] !== 'application/jsonl';
    const body = isList ? Array(count).fill(answer) : answer;
    sendError(req, res, shape.data.httpStatus, body);
  };
