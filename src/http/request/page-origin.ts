import type { Request } from 'express';

/** Whether a request changes nothing. */
export const isRead = ({ method }: Request): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/**
 * Whether a page of this server sent the request. Browsers say so in Sec-Fetch-Site, to https and loopback addresses alone;
 * elsewhere they send Origin with writes.
 */
export function isFromOwnPage(req: Request): boolean {
  const site = req.get('sec-fetch-site');
  return site === undefined ? isRead(req) || hasOwnOrigin(req) : site === 'same-origin';
}

/** Whether a page of another origin sent the request. Other clients than browsers send neither header. */
export function isFromForeignPage(req: Request): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return req.get('origin') !== undefined && !hasOwnOrigin(req);
}

/** Whether Origin names the host that the request is for. */
export function hasOwnOrigin(req: Request): boolean {
  const origin = req.get('origin') ?? '';
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return ['http:', 'https:'].includes(protocol) && host === req.host?.toLowerCase();
}
