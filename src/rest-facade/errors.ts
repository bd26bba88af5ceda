import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { z } from 'zod';
import { detailOf, type ErrorDetail } from '../routers/index.js';
import { type Parts, valueAt } from './parts.js';

const RETRY_AFTER_SECONDS = 2;

/** An error of a domain procedure, with its places told in the names of the REST request. */
class LocatedError extends TRPCError {
  constructor(
    readonly original: TRPCError,
    readonly detail: ErrorDetail[],
  ) {
    super({ code: original.code, message: original.message, cause: original });
  }
}

/** Names that differ between the domain's input and the REST request by more than their casing. */
const RENAMED: Record<string, string> = {
  chunkIds: 'documentChunkIds',
  datasetIds: 'dataset_ids',
  customProperties: 'custom_properties',
  documentTypes: 'types',
  page: 'page_num',
};

/** What a domain procedure refused, with each place translated into the endpoint's own parts. */
export function locateErrors<R extends { ok: boolean; error?: TRPCError }>(result: R, parts: Parts): R {
  if (result.ok || !result.error) return result;
  const detail = detailOf(result.error).map((one) => ({ ...one, loc: locate(one.loc, parts) }));
  throw new LocatedError(result.error, detail);
}

function locate([name, ...rest]: (string | number)[], parts: Parts): (string | number)[] {
  // The domain groups tenant and unit under `scope`.
  if (name === 'scope') return locate(rest, parts);
  if (typeof name !== 'string') return [];
  const names = [name, toSnakeCase(name), RENAMED[name]];
  for (const part of ['path', 'query', 'body'] as const) {
    const field = names.find((candidate) => candidate !== undefined && parts[part]?.shape[candidate]);
    if (field) return [part, field, ...rest];
  }
  return [name, ...rest];
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The status and details of whatever went wrong with a request whose parts were `input`. */
export function toRestError(error: unknown, input: object): { status: number; detail: ErrorDetail[] } {
  if (error instanceof LocatedError) {
    return { status: statusOf(error.original), detail: error.detail };
  }
  if (error instanceof TRPCError) {
    const detail = detailOf(error).map((one) =>
      valueAt(input, one.loc) === undefined && error.code === 'BAD_REQUEST'
        ? { type: 'missing', loc: one.loc, msg: 'Field required' }
        : one,
    );
    return { status: statusOf(error), detail };
  }
  return fromExpress(error);
}

/** What is no valid input is 422, whether zod found it or the domain did. */
function statusOf(error: TRPCError): number {
  const isInput = error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
  return isInput ? 422 : getHTTPStatusCodeFromError(error);
}

/** Errors of Express and its body parsers carry a status and a type. */
function fromExpress(error: unknown): { status: number; detail: ErrorDetail[] } {
  const { status = 500, type, message } = error as { status?: number; type?: string; message?: string };
  const found = BODY_ERRORS[type ?? ''];
  if (found) return { status: found.status, detail: [{ ...found.detail, msg: found.detail.msg ?? message ?? '' }] };
  if (status === 400) return { status: 422, detail: [{ type: 'value_error', loc: [], msg: message ?? 'Bad request.' }] };
  if (status < 500) return { status, detail: [{ type: 'http_error', loc: [], msg: message ?? 'Bad request.' }] };
  return { status: 500, detail: [{ type: 'internal_server_error', loc: [], msg: 'Internal server error.' }] };
}

const inBody = (status: number, type: string, msg?: string) => ({
  status,
  detail: { type, loc: ['body'], ...(msg !== undefined && { msg }) } as { type: string; loc: string[]; msg?: string },
});
const BODY_ERRORS: Record<string, ReturnType<typeof inBody>> = {
  'entity.parse.failed': inBody(422, 'json_invalid'),
  'entity.too.large': inBody(413, 'too_large', 'The request body is larger than allowed.'),
  'charset.unsupported': inBody(415, 'unsupported_media_type'),
  'encoding.unsupported': inBody(415, 'unsupported_media_type'),
  'request.size.invalid': inBody(422, 'value_error', 'The body is shorter or longer than announced.'),
  'request.aborted': inBody(422, 'value_error', 'The request was aborted.'),
  'media.unsupported': inBody(415, 'unsupported_media_type'),
  'multipart.invalid': inBody(422, 'multipart_invalid'),
};

/** An error with one of the types above, as Express's body parsers make them. */
export const bodyError = (type: keyof typeof BODY_ERRORS & string, message: string): Error =>
  Object.assign(new Error(message), { type });

/** Answers every failure in the one documented shape, `{ detail: [{ type, loc, msg }] }`. */
export const answerErrors =
  (onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const { status, detail } = toRestError(error, res.locals.input ?? {});
    if (status >= 500 && status !== 503) onInternalError(error);
    if (status === 503) res.set('Retry-After', String(RETRY_AFTER_SECONDS));
    // A body that nobody reads any more would keep the connection busy.
    if (!req.complete) res.set('Connection', 'close');
    res.status(status).json({ detail });
    if (!req.complete) req.resume();
  };

export const answerUnknownPath: RequestHandler = (_req, res) => {
  res.status(404).json({ detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] });
};
