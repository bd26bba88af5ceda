import type { Response } from 'express';

/**
 * Calls back once when a response is finished: sent, aborted, or its connection closed. A pipelined response
 * behind another gets no `close` event, hence the socket listener.
 */
export function onFinished(res: Response, act: () => void): void {
  const { socket } = res.req;
  if (isFinished(res)) {
    act();
    return;
  }
  let isDone = false;
  // On close, Node emits on the response first, then on the socket.
  const end = () => {
    if (isDone) return;
    isDone = true;
    res.off('close', end);
    socket.off('close', end);
    act();
  };
  // Many pipelined requests may listen on one socket.
  socket.setMaxListeners(0);
  res.once('close', end);
  socket.once('close', end);
}

/** Whether the response is finished or its client disconnected. */
export const isFinished = (res: Response): boolean => res.closed || res.req.socket.destroyed;
