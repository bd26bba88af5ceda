import type { ErrorDetail } from '../errors/error-body.js';
import type { ErrorType } from '../errors/error-types.js';

/* Errors of a request that is rejected before its endpoint is called. */

const inBody = (status: number, type: ErrorType, msg?: string) => ({
  status,
  detail: { type, loc: ['body'], ...(msg !== undefined && { msg }) } as {
    type: ErrorType;
    loc: string[];
    msg?: string;
  },
});
const REQUEST_ERRORS: Record<string, ReturnType<typeof inBody>> = {
  'entity.parse.failed': inBody(422, 'json_invalid'),
  'entity.too.large': inBody(413, 'too_large', 'The request body is larger than allowed.'),
  'charset.unsupported': inBody(415, 'unsupported_media_type'),
  'encoding.unsupported': inBody(415, 'unsupported_media_type'),
  'request.size.invalid': inBody(
    422,
    'value_error',
    'The length of the body differs from its Content-Length.',
  ),
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

/** Errors of Express and its body parsers carry a status and a type. */
export function describeRequestError(error: unknown): { status: number; detail: ErrorDetail[] } {
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
  if (status < 500) {
    return { status, detail: [{ type: 'http_error', loc: [], msg: message ?? 'Bad request.' }] };
  }
  return { status: 500, detail: [{ type: 'internal_server_error', loc: [], msg: 'Internal server error.' }] };
}
