import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { DomainError, RETRY_AFTER_SECONDS } from '../errors.js';
import { type ErrorDetail, errorDetailsOf, toTrpcError } from '../routers/index.js';
import { type RequestParts, valueAt } from './request-parts.js';

const LINGER_MS = 1_000;

/** An error of a domain procedure, with locations in the REST request. */
class RestError extends TRPCError {
  constructor(
    readonly original: TRPCError,
    readonly detail: ErrorDetail[],
  ) {
    super({ code: original.code, message: original.message, cause: original });
  }
}

/** Field names that differ from the domain by more than casing. */
const RENAMED: Record<string, string[]> = {
  chunkIds: ['documentChunkIds'],
  datasetIds: ['dataset_ids'],
  customProperties: ['custom_properties'],
  documentTypes: ['types', 'type'],
  statuses: ['status'],
  page: ['page_num'],
};

/** Inputs that are headers. */
const HEADERS = new Set(['X-Api-Key', 'X-User-Id', 'Idempotency-Key']);

/** Maps error locations of a domain procedure to the endpoint's request parts. */
export function mapErrorLocations<R extends { ok: boolean; error?: TRPCError }>(
  result: R,
  parts: RequestParts,
  input: object,
): R {
  if (result.ok || !result.error) return result;
  const detail = errorDetailsOf(result.error).map((one) => ({ ...one, loc: locate(one.loc, parts, input) }));
  throw new RestError(result.error, detail);
}

/** Maps an error during the upload, before the endpoint is called. */
export const toFormError = (error: TRPCError): Error =>
  new RestError(
    error,
    errorDetailsOf(error).map((one) => ({ ...one, loc: one.loc.length > 0 ? ['body', ...one.loc] : [] })),
  );

function locate(
  [name, ...rest]: (string | number)[],
  parts: RequestParts,
  input: object,
): (string | number)[] {
  if (HEADERS.has(String(name))) return ['header', name as string];
  // The domain groups tenant and unit under `scope`.
  if (name === 'scope') return locate(rest, parts, input);
  if (typeof name !== 'string') return [];
  const names = [name, toSnakeCase(name), ...(RENAMED[name] ?? [])];
  const places = (['path', 'body', 'query'] as const).flatMap((part) =>
    names.filter((field) => parts[part]?.shape[field]).map((field) => [part, field] as const),
  );
  const place = places.find((candidate) => valueAt(input, candidate) != null) ?? places[0];
  if (!place) return [name, ...rest];
  // A list in the domain may be a single value in the request.
  return typeof valueAt(input, place) === 'string' ? [...place] : [...place, ...rest];
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Status and details of an error. */
export function toRestError(error: unknown, input: object): { status: number; detail: ErrorDetail[] } {
  if (error instanceof RestError) {
    return { status: statusOf(error.original), detail: error.detail };
  }
  // Middleware throws domain errors.
  if (error instanceof DomainError) return toRestError(toTrpcError(error), input);
  if (error instanceof TRPCError) {
    const detail = errorDetailsOf(error).map((one) =>
      valueAt(input, one.loc) === undefined && error.code === 'BAD_REQUEST'
        ? { type: 'missing', loc: one.loc, msg: 'Field required' }
        : HEADERS.has(String(one.loc[0]))
          ? { ...one, loc: ['header', ...one.loc] }
          : one,
    );
    return { status: statusOf(error), detail };
  }
  return fromExpress(error);
}

/** Invalid input is 422, whether found by zod or by the domain. */
function statusOf(error: TRPCError): number {
  const isInput = error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
  return isInput ? 422 : getHTTPStatusCodeFromError(error);
}

/** Errors of Express and its body parsers carry a status and a type. */
function fromExpress(error: unknown): { status: number; detail: ErrorDetail[] } {
  const { status = 500, type, message, loc } = error as Partial<RequestError>;
  const found = REQUEST_ERRORS[type ?? ''];
  if (found) {
    const detail = { ...found.detail, msg: found.detail.msg ?? message ?? '', ...(loc && { loc }) };
    return { status: found.status, detail: [detail] };
  }
  // A URIError comes from the path, all other 400s from the body.
  const part = error instanceof URIError ? 'path' : 'body';
  if (status === 400) {
    return { status: 422, detail: [{ type: 'value_error', loc: [part], msg: message ?? 'Bad request.' }] };
  }
  if (status < 500)
    return { status, detail: [{ type: 'http_error', loc: [], msg: message ?? 'Bad request.' }] };
  return { status: 500, detail: [{ type: 'internal_server_error', loc: [], msg: 'Internal server error.' }] };
}

const inBody = (status: number, type: string, msg?: string) => ({
  status,
  detail: { type, loc: ['body'], ...(msg !== undefined && { msg }) } as {
    type: string;
    loc: string[];
    msg?: string;
  },
});
const REQUEST_ERRORS: Record<string, ReturnType<typeof inBody>> = {
  'entity.parse.failed': inBody(422, 'json_invalid'),
  'entity.too.large': inBody(413, 'too_large', 'The request body is larger than allowed.'),
  'charset.unsupported': inBody(415, 'unsupported_media_type'),
  'encoding.unsupported': inBody(415, 'unsupported_media_type'),
  'request.size.invalid': inBody(422, 'value_error', 'The body is shorter or longer than announced.'),
  'request.aborted': inBody(422, 'value_error', 'The request was aborted.'),
  'header.invalid': inBody(422, 'value_error'),
  'precondition.failed': inBody(412, 'precondition_failed'),
  'media.unsupported': inBody(415, 'unsupported_media_type'),
  'multipart.invalid': inBody(422, 'multipart_invalid'),
  'json.too.many': inBody(422, 'value_error.too_big'),
  'query.too.long': inBody(422, 'value_error.too_big'),
  'query.undecodable': inBody(422, 'value_error'),
};

type RequestError = Error & { status: number; type: string; loc: string[] };

/** An error with one of the types above, as Express's body parsers make them. */
export const requestError = (
  type: keyof typeof REQUEST_ERRORS & string,
  message: string,
  loc: string[] = ['body'],
): Error => Object.assign(new Error(message), { type, loc });

/** Express error handler: responds with the documented body, `{ detail: [{ type, loc, msg }] }`. */
export const errorHandler =
  (reportError: (error: unknown, res: Response) => void): ErrorRequestHandler =>
  (error, req, res, next) => {
    if (res.headersSent) return next(error);
    const { status, detail } = toRestError(error, res.locals.input ?? {});
    if (status >= 500 && status !== 503) reportError(error, res);
    if (status === 503) res.set('Retry-After', String(RETRY_AFTER_SECONDS));
    res.status(status);
    if (req.complete) res.json({ detail });
    else sendAndClose(req, res, JSON.stringify({ detail }));
  };

/**
 * Responds before the body is read, then closes the connection. Closing at once would reset it before the
 * client reads the response.
 */
export function sendAndClose(req: Request, res: Response, body: string): void {
  res.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) }).type('json');
  res.write(body);
  const end = () => {
    clearTimeout(linger);
    res.end();
  };
  const linger = setTimeout(end, LINGER_MS);
  req.once('end', end).once('close', end).resume();
}

export const notFoundHandler: RequestHandler = (_req, res) => {
  res.status(404).json({ detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] });
};
