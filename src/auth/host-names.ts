import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

export interface HostName {
  /** In lower case, without the dot of a full domain name and the brackets of IPv6. */
  name: string;
  /** Empty where none is named. */
  port: string;
}

const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{0,5}))?$/i;
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
