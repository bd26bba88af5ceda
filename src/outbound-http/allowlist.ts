import ipaddr from 'ipaddr.js';

/** Hosts and addresses that are allowed although they are not public. */
export interface Allowlist {
  allowsHost(host: string, port: string): boolean;
  allowsAddress(address: string): boolean;
}

/** @param entries `host`, `host:port`, `*.domain`, `*.domain:port`, or a range of addresses as `10.1.0.0/16` */
export function createAllowlist(entries: string[]): Allowlist {
  const ranges = entries.filter((entry) => entry.includes('/')).map((entry) => ipaddr.parseCIDR(entry));
  const hosts = entries.filter((entry) => !entry.includes('/')).map(hostMatcher);
  return {
    allowsHost: (host, port) => hosts.some((matches) => matches(canonical(host), port)),
    allowsAddress(address) {
      if (!ipaddr.isValid(address)) return false;
      const parsed = ipaddr.process(address);
      return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
    },
  };
}

function hostMatcher(entry: string): (host: string, port: string) => boolean {
  const [, wildcard, name = '', onlyPort] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const allowed = canonical(new URL(`http://${name}`).hostname);
  return (host, port) => {
    if (onlyPort !== undefined && port !== onlyPort) return false;
    return wildcard ? host.endsWith(`.${allowed}`) : host === allowed;
  };
}

/** Without the brackets of IPv6 and without the dot of a full domain name. */
const canonical = (host: string): string => host.replace(/^\[|\]$|\.$/g, '').toLowerCase();
