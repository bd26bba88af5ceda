import type { ErrorRequestHandler, Request, Response } from 'express';
import { sendError } from '../../rest-facade/error-handler.js';
import { describeFailure, type Failure, type NamePlace } from '../describe-failure.js';

const MALFORMED_AUTHORIZATION = 1001;
const NOT_AUTHORIZED = 1002;
const NO_SUCH_KNOWLEDGE = 2001;

/** Error handler: answers as the External Knowledge API does. Errors without a code there have their status as code. */
export const difyErrors =
  (reportError: (error: unknown, res: Response) => void): ErrorRequestHandler =>
  (thrown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const failure = describeFailure(thrown, res, namePlace);
    if (failure.status >= 500 && failure.status !== 503) reportError(thrown, res);
    const { status, code, message } = toDify(failure, req);
    sendError(req, res, status, { error_code: code, error_msg: message });
  };

function toDify({ status, place, message }: Failure, req: Request) {
  // Dify takes a key for wrong only where it is answered 403.
  if (status === 401) {
    return hasMalformedAuthorization(req)
      ? {
          status: 403,
          code: MALFORMED_AUTHORIZATION,
          message: 'Expected the header "Authorization: Bearer API_KEY".',
        }
      : { status: 403, code: NOT_AUTHORIZED, message };
  }
  if (status === 403) return { status, code: NOT_AUTHORIZED, message };
  if (status === 404 && place === KNOWLEDGE_ID)
    return {
      status,
      code: NO_SUCH_KNOWLEDGE,
      message: 'There is no such knowledge base, or the API key may not read it.',
    };
  return { status, code: status, message };
}

const hasMalformedAuthorization = (req: Request): boolean =>
  req.get('x-api-key') === undefined && !/^bearer +[^ ]+$/i.test(req.get('authorization') ?? '');

const KNOWLEDGE_ID = 'knowledge_id';

const namePlace: NamePlace = ([first, ...rest]) => {
  if (first === 'dataset') return KNOWLEDGE_ID;
  if (first === 'topK') return 'retrieval_setting.top_k';
  if (first !== 'filter') return first === undefined ? undefined : [first, ...rest].join('.');
  return ['metadata_condition', ...(rest.length > 1 ? ['conditions', rest[1] as number] : [])].join('.');
};
