import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { inRequest } from '../log.js';

export const REQUEST_ID = 'X-Request-Id';

/** Gives every request a name, told in the answer and in each line of its log. A client may bring its own. */
export const nameRequest =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const given = req.get(REQUEST_ID);
    const requestId = given && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
    const start = performance.now();
    res.set(REQUEST_ID, requestId);
    const { method, path } = req;
    inRequest(requestId, () => {
      res.on('close', () => {
        const ms = Math.round(performance.now() - start);
        const about = { method, path, ms };
        if (res.writableFinished) log.debug({ ...about, status: res.statusCode }, 'request');
        else log.debug(about, 'request cut off');
      });
      next();
    });
  };
