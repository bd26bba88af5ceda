import type { Response } from 'express';
import type { Logger } from 'pino';
import { isOver } from './when-over.js';

/** Told of what nobody foresaw, and of the answer that it ended. */
export type ReportError = (error: unknown, res: Response) => void;

/** How the end of a connection shows where somebody reads from it, writes to it, or works for it. */
const BY_LEAVING = /^(ABORT_ERR|ECONNABORTED|ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/;
const MAX_CAUSES = 5;

/** Writes errors into the log. That a client has left, and nothing else, is no error of the server's. */
export const createReportError =
  (log: Logger): ReportError =>
  (error, res) => {
    if (isOver(res) && isByLeaving(error)) log.debug({ err: error }, 'a client left before its answer');
    else log.error({ err: error }, 'internal error');
  };

function isByLeaving(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  const { code } = error as { code?: unknown };
  const isLeaving = error.name === 'AbortError' || (typeof code === 'string' && BY_LEAVING.test(code));
  return isLeaving || isByLeaving(error.cause, depth + 1);
}
