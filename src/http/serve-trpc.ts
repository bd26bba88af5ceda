import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { resolveResponse, type TRPCRequestInfo } from '@trpc/server/http';
import type { Request, RequestHandler, Response } from 'express';
import { appRouter, type Context } from '../routers/index.js';
import { MAX_BATCH_SIZE } from './request/trpc-batch-size.js';

/** Parsing more than that, and checking it, are two turns of the event loop. */
const LARGE_CHARACTERS = 1_000_000;

interface ServeTrpcOptions {
  maxUploadBytes: number;
  createContext(req: Request, res: Response, info: TRPCRequestInfo): Context;
  /** Called with what is no fault of the caller. */
  reportError(error: unknown, res: Response): void;
}

/**
 * Serves the routers as tRPC's adapter for Express does. That one would encode a body that is read as text already, to decode
 * all of it at once: 100 ms for 16 MiB of Chinese.
 */
export const serveTrpc =
  ({ maxUploadBytes, createContext, reportError }: ServeTrpcOptions): RequestHandler =>
  async (req, res) => {
    const { body } = req;
    if (typeof body === 'string') req.body = '';
    const request = incomingMessageToRequest(req, res, { maxBodySize: maxUploadBytes });
    if (typeof body === 'string') request.text = async () => body;
    const response = await resolveResponse({
      req: request,
      path: req.path.slice(req.path.lastIndexOf('/') + 1),
      router: appRouter,
      async createContext({ info }) {
        if (body?.length > LARGE_CHARACTERS) {
          // Parsed once: what is wrong with it is found again by the call.
          await info.calls[0]?.getRawInput().catch(() => {});
          await setImmediate();
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
    const { signal } = request;
    const write = async (part: Uint8Array) => {
      if (!res.write(part)) await once(res, 'drain', { signal });
    };
    await response.body?.pipeTo(new WritableStream({ write }), { signal }).catch((error) => {
      if (!signal.aborted) reportError(error, res);
    });
    res.end();
  };
