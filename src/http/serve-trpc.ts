import { once } from 'node:events';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { resolveResponse, type TRPCRequestInfo } from '@trpc/server/http';
import type { Request, RequestHandler, Response } from 'express';
import { RETRY_AFTER_SECONDS } from '../errors/errors.js';
import { appRouter, type Context } from '../routers/index.js';
import { MAX_BATCH_SIZE } from './request/trpc-batch-size.js';

interface ServeTrpcOptions {
  maxUploadBytes: number;
  createContext(req: Request, res: Response, info: TRPCRequestInfo): Context;
  /** Called with what is no fault of the caller. */
  reportError(error: unknown, res: Response): void;
}

/**
 * Serves the routers as tRPC's adapter for Express does, but for bodies: their JSON is parsed already, which the adapter would
 * do at once.
 */
export const serveTrpc =
  ({ maxUploadBytes, createContext, reportError }: ServeTrpcOptions): RequestHandler =>
  async (req, res) => {
    // A file whose client left while the key was looked up never ends.
    if (req.destroyed && req.is('application/octet-stream')) return;
    const inputs = req.method === 'POST' ? req.body : undefined;
    req.body = undefined;
    const request = incomingMessageToRequest(req, res, { maxBodySize: maxUploadBytes });
    const response = await resolveResponse({
      req: request,
      path: req.path.slice(req.path.lastIndexOf('/') + 1),
      router: appRouter,
      async createContext({ info }) {
        if (inputs !== undefined) {
          for (const call of info.calls)
            call.getRawInput = async () => (info.isBatchCall ? inputs?.[call.batchIndex] : inputs);
        }
        return createContext(req, res, info);
      },
      maxBatchSize: MAX_BATCH_SIZE,
      // A long question fits into no address.
      allowMethodOverride: true,
      onError: ({ error }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR') reportError(error.cause ?? error, res);
      },
      error: null,
    });
    res.status(response.status).setHeaders(response.headers);
    if (response.status === 503) res.set('Retry-After', String(RETRY_AFTER_SECONDS));
    const { signal } = request;
    const write = async (part: Uint8Array) => {
      if (!res.write(part)) await once(res, 'drain', { signal });
    };
    await response.body?.pipeTo(new WritableStream({ write }), { signal }).catch((error) => {
      if (!signal.aborted) reportError(error, res);
    });
    res.end();
  };
