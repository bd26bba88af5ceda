import { getTRPCErrorShape, type TRPCError } from '@trpc/server';
import type { ErrorRequestHandler, Request } from 'express';
import { appRouter } from '../routers/index.js';

const RETRY_AFTER_SECONDS = '2';

/**
 * Answers what the guard refused of tRPC, in tRPC's own shape. tRPC itself would first look whether the procedure
 * exists, and open a stream to say no in it.
 */
export const refuseCalls =
  (onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (error: TRPCError, req, res, _next) => {
    if (error.code === 'INTERNAL_SERVER_ERROR') onInternalError(error.cause ?? error);
    const shape = getTRPCErrorShape({
      config: appRouter._def._config,
      error,
      type: 'unknown',
      path: undefined,
      input: undefined,
      ctx: undefined,
    });
    const answer = { error: shape };
    const status = shape.data.httpStatus;
    if (status === 503) res.set('Retry-After', RETRY_AFTER_SECONDS);
    const count = countCalls(req);
    // Else its body would be read to the end, although nobody wants it.
    if (!req.complete) res.set('Connection', 'close');
    res.status(status).json(count === undefined ? answer : Array(count).fill(answer));
  };

/** How many answers a batch is to get. Who wants them one after another takes a refusal of all of them. */
function countCalls({ path, query, headers }: Request): number | undefined {
  if (query.batch !== '1' || headers['trpc-accept'] === 'application/jsonl') return undefined;
  return path.split(/,|%2c/i).length;
}
