import type { Request } from 'express';

/** A host that a request names, as it stands there, and the header that it is from. */
interface NamedHost {
  header: 'Host' | 'X-Forwarded-Host';
  text: string;
}

const ABSOLUTE_TARGET = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/**
 * All hosts that a request names. The host of an absolute target takes the place of the header (RFC 9112). A proxy names
 * the host that it was asked for in X-Forwarded-Host; so may anybody, and therefore it never replaces the other.
 */
export function hostsOf(req: Pick<Request, 'originalUrl' | 'headers'>): NamedHost[] {
  const { host = '', 'x-forwarded-host': forwarded } = req.headers;
  const [, target = host] = (!req.originalUrl.startsWith('/') && ABSOLUTE_TARGET.exec(req.originalUrl)) || [];
  const named: NamedHost = { header: 'Host', text: target };
  if (forwarded === undefined) return [named];
  const names = String(forwarded).split(',');
  return [named, ...names.map((text) => ({ header: 'X-Forwarded-Host' as const, text: text.trim() }))];
}
