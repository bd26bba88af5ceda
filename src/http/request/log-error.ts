import type { Response } from 'express';
import type { Logger } from 'pino';
import { isFinished } from './on-finished.js';

/** Told of what nobody foresaw, and of the answer that it ended. */
export type LogError = (error: unknown, res: Response) => void;

/** How the end of a connection shows where somebody reads from it, writes to it, or works for it. */
const DISCONNECT_CODES = /^(ABORT_ERR|ECONNABORTED|ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/;
const MAX_CAUSES = 5;

/** Writes errors into the log. That a client has left, and nothing else, is no error of the server's. */
export const createLogError =
  (log: Logger): LogError =>
  (error, res) => {
    if (isFinished(res) && isClientDisconnect(error))
      log.debug({ err: error }, 'a client left before its answer');
    else log.error({ err: error }, 'internal error');
  };

function isClientDisconnect(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  const { code } = error as { code?: unknown };
  const isLeaving = error.name === 'AbortError' || (typeof code === 'string' && DISCONNECT_CODES.test(code));
  return isLeaving || isClientDisconnect(error.cause, depth + 1);
}
