import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Request } from 'express';

export interface HostName {
  /** In lower case, without the dot of a full domain name and the brackets of IPv6. */
  name: string;
  /** Empty where none is named. */
  port: string;
}

/** A host that a request names, as it stands there, and the header that it is from. */
interface NamedHost {
  header: 'Host' | 'X-Forwarded-Host';
  text: string;
}

const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{0,5}))?$/i;
const ABSOLUTE_TARGET = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;
const MAX_PORT = 65_535;

/** Reads `host` or `host:port`; undefined where it is neither. */
export function parseHost(text: string): HostName | undefined {
  const [, address, name = address ?? '', port = ''] = HOST.exec(text) ?? [];
  const canonical = name.replace(/\.$/, '').toLowerCase();
  if (canonical === '' || Number(port) > MAX_PORT) return undefined;
  return address !== undefined && isIP(address) !== 6 ? undefined : { name: canonical, port };
}

/** Reads an entry of an allowlist, whose name may have other letters than ASCII. */
export function parseAllowedHost(entry: string): HostName | undefined {
  const [, name = '', port = ''] = /^([^:/?#@\\]*)(:\d*)?$/.exec(entry) ?? [];
  return parseHost(domainToASCII(name) + port);
}

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
