import type { Response } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from '../middleware/request-id.js';

/** Logs an unexpected error and its response. */
export type LogError = (error: unknown, res: Response) => void;

/** Error codes of a closed connection, and of a statement that was cancelled because of it. */
const DISCONNECT_CODES = /^(57014|ABORT_ERR|ECONNABORTED|ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/;
const MAX_CAUSES = 5;

/** Logs errors; a client disconnect is logged at debug. */
export const createLogError =
  (log: Logger): LogError =>
  (error, res) => {
    const about = { requestId: requestIdOf(res), err: error };
    if (res.closed && isClientDisconnect(error)) log.debug(about, 'a client left before its answer');
    else log.error(about, 'internal error');
  };

function isClientDisconnect(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  const { code } = error as { code?: unknown };
  const isLeaving = error.name === 'AbortError' || (typeof code === 'string' && DISCONNECT_CODES.test(code));
  return isLeaving || isClientDisconnect(error.cause, depth + 1);
}
