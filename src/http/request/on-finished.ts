import type { Response } from 'express';

/**
 * Acts once when an answer is over: sent, cut off, or given up with its connection before it had its turn. An answer that
 * stands behind another of the same connection, as requests in a pipeline do, is never told that it closes.
 */
export function onFinished(res: Response, act: () => void): void {
  const { socket } = res.req;
  if (isFinished(res)) {
    act();
    return;
  }
  let isDone = false;
  // A socket that closes tells its answer first, and then all who listened when it began.
  const end = () => {
    if (isDone) return;
    isDone = true;
    res.off('close', end);
    socket.off('close', end);
    act();
  };
  // A pipeline may hold many requests, all of which listen here.
  socket.setMaxListeners(0);
  res.once('close', end);
  socket.once('close', end);
}

/** Whether nobody is there any more to be answered. */
export const isFinished = (res: Response): boolean => res.closed || res.req.socket.destroyed;
