import { isIP } from 'node:net';
import { type HostName, parseAllowedHost, parseHost } from '../../auth/host-names.js';
import { misdirected } from '../../errors/errors.js';
import { hostsOf } from '../request/named-hosts.js';
import type { Guard } from './auth.js';

/** Which a browser leaves out. */
const DEFAULT_PORTS = ['80', '443'];

const NO_HOST =
  'The request names no valid host. Call the server by its IP address, localhost, or a name in ALLOWED_HOSTS.';

/**
 * Guard: only requests to an IP address, localhost or an allowed name. A page whose name somebody has resolve to the
 * address of the server (DNS rebinding) is of the same origin as the server to browsers, and in open mode needs no key.
 *
 * @param allowed `name`, for any port, or `name:port`
 */
export function requireAllowedHost(allowed: string[]): Guard {
  const isAllowed = allowsHost(allowed);
  return (req, res) => {
    for (const { header, text } of hostsOf(req)) {
      const host = parseHost(text);
      if (host && isAllowed(host)) continue;
      res.set('Cache-Control', 'no-store');
      throw misdirected(host ? notAllowed(host) : NO_HOST, [header]);
    }
  };
}

/** Makes a check whether a host is an IP address, localhost or an allowed name. */
export function allowsHost(allowed: string[]): (host: HostName) => boolean {
  const names = new Set(allowed.map((entry) => textOf(parseAllowedHost(entry))));
  return ({ name, port }) =>
    isIP(name) !== 0 ||
    name === 'localhost' ||
    /^[^.]+(\.[^.]+)*\.localhost$/.test(name) ||
    names.has(name) ||
    (port === '' ? DEFAULT_PORTS : [port]).some((one) => names.has(textOf({ name, port: one })));
}

const textOf = (host: HostName | undefined): string =>
  host ? `${host.name}${host.port && `:${host.port}`}` : '';

const notAllowed = ({ name }: HostName) =>
  `${name} is not a host name of this server. Set ALLOWED_HOSTS=${name} if it is, or call the server by its IP address or localhost.`;
