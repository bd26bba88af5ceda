import type { ErrorRequestHandler, Response } from 'express';
import { sendError } from '../../rest-facade/error-handler.js';
import { describeFailure, type Failure, type NamePlace } from '../describe-failure.js';

/** Error handler: answers as OpenAI's API does. */
export const openAiErrors =
  (reportError: (error: unknown, res: Response) => void): ErrorRequestHandler =>
  (thrown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const failure = describeFailure(thrown, res, namePlace);
    if (failure.status >= 500 && failure.status !== 503) reportError(thrown, res);
    sendError(req, res, failure.status, { error: toOpenAi(failure) });
  };

function toOpenAi({ status, type, message, place }: Failure) {
  const isStore = status === 404 && place === VECTOR_STORE_ID;
  return {
    message: isStore ? 'There is no such vector store, or the API key may not read it.' : message,
    type: TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: status === 400 || isStore ? (place ?? null) : null,
    code: CODES[status] ?? type,
  };
}

const TYPES: Record<number, string | undefined> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};
/** Others are the types of errors in REST. */
const CODES: Record<number, string | undefined> = {
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
};

const VECTOR_STORE_ID = 'vector_store_id';

/** Inputs of procedures by their names here. */
const NAMES = new Map<string | number, string>([
  ['dataset', VECTOR_STORE_ID],
  ['filter', 'filters'],
  ['topK', 'max_num_results'],
]);

const namePlace: NamePlace = ([first, ...rest]) =>
  first === undefined ? undefined : [NAMES.get(first) ?? first, ...rest].join('.');
