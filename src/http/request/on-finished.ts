import type { Response } from 'express';

/** Calls back once when a response is finished: sent, aborted, or its connection closed. */
export function onFinished(res: Response, act: () => void): void {
  if (res.closed) act();
  else res.once('close', act);
}
