import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Assigns a request id, sent in the response and logged. Clients may send their own. */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const given = req.get(REQUEST_ID_HEADER);
  res.setHeader(REQUEST_ID_HEADER, given && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID());
  next();
};

/** The id that a response carries. */
export const requestIdOf = (res: Response): string => String(res.getHeader(REQUEST_ID_HEADER));
