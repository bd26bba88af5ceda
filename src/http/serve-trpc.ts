import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { resolveResponse, type TRPCRequestInfo } from '@trpc/server/http';
import type { Request, RequestHandler, Response } from 'express';
import { RETRY_AFTER_SECONDS } from '../errors/errors.js';
import type { BodyMemory } from '../rest-facade/body-memory.js';
import { joinPieces, jsonPieces, sendJsonParts } from '../rest-facade/send-json.js';
import { appRouter, type Context } from '../routers/index.js';
import { MAX_BATCH_SIZE } from './request/trpc-batch-size.js';
import { SteppedTextEncoderStream } from './text-encoder-stream.js';

interface ServeTrpcOptions {
  bodyMemory: BodyMemory;
  maxUploadBytes: number;
  createContext(req: Request, res: Response, info: TRPCRequestInfo): Context;
  /** Called with what is no fault of the caller. */
  reportError(error: unknown, res: Response): void;
}

/**
 * Serves the routers as tRPC's adapter for Express does, but for large JSON: that of bodies is parsed already, and that of
 * results is made in steps.
 */
export const serveTrpc =
  ({ bodyMemory, maxUploadBytes, createContext, reportError }: ServeTrpcOptions): RequestHandler =>
  async (req, res) => {
    // A file whose client left while the key was looked up never ends.
    if (req.destroyed && req.is('application/octet-stream')) return;
    const results: unknown[] = [];
    const inputs = req.method === 'POST' ? req.body : undefined;
    req.body = undefined;
    const request = incomingMessageToRequest(req, res, { maxBodySize: maxUploadBytes });
    const responding = resolveResponse({
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
      responseMeta({ data }) {
        for (const answer of data ?? []) {
          if (!('result' in answer) || !('data' in answer.result) || answer.result.data === undefined)
            continue;
          results.push(answer.result.data);
          answer.result.data = MARK;
        }
        return {};
      },
      maxBatchSize: MAX_BATCH_SIZE,
      // A long question fits into no address.
      allowMethodOverride: true,
      onError: ({ error }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR') reportError(error.cause ?? error, res);
      },
      error: null,
    });
    const response = await bodyMemory.during(res, responding);
    res.status(response.status).setHeaders(response.headers);
    if (response.status === 503) res.set('Retry-After', String(RETRY_AFTER_SECONDS));
    if (results.length > 0) {
      const frame = (await response.text()).split(PLACE);
      return sendJsonParts(res, joinPieces(insert(results, frame)));
    }
    const { signal } = request;
    // The results of a batch are there, whether they are read or not: so they count as an answer that is not read.
    const isBatch = req.get('trpc-accept') === 'application/jsonl';
    const write = async (part: Uint8Array) => {
      if (!res.write(part) && !isBatch) await once(res, 'drain', { signal });
    };
    await response.body?.pipeTo(new WritableStream({ write }), { signal }).catch((error) => {
      if (!signal.aborted) reportError(error, res);
    });
    res.end();
  };

// tRPC has no option for it.
globalThis.TextEncoderStream = SteppedTextEncoderStream as typeof globalThis.TextEncoderStream;

/** Stands for a result in the JSON of an answer; nobody knows it. */
const MARK = randomUUID();
const PLACE = `"${MARK}"`;

/** The JSON of results, in their places. */
function* insert(results: unknown[], [first = '', ...rest]: string[]): Generator<string, void> {
  yield first;
  for (const [place, text] of rest.entries()) {
    yield* jsonPieces(results[place]);
    yield text;
  }
}
