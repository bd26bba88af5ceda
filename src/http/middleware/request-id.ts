import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Assigns a request id, sent in the response and logged with its errors. Clients may send their own. */
export const assignRequestId =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const given = req.get(REQUEST_ID_HEADER);
    const requestId = given && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
    const start = performance.now();
    res.setHeader(REQUEST_ID_HEADER, requestId);
    const { method, path } = req;
    res.on('close', () => {
      const ms = Math.round(performance.now() - start);
      const about = { requestId, method, path, ms };
      if (res.writableFinished) log.debug({ ...about, status: res.statusCode }, 'request');
      else log.debug(about, 'request cut off');
    });
    next();
  };

/** The id that a response carries. */
export const requestIdOf = (res: Response): string => String(res.getHeader(REQUEST_ID_HEADER));
