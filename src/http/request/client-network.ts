import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Smallest network of one customer: a /64 in IPv6. */
const IPV6_PREFIX = 64;

/** The client's network for rate limits. */
export const clientNetworkOf = (req: Request): string => networkOf(req.ip);

/** The network of a customer: an IPv4 address or an IPv6 /64. */
export function networkOf(text = ''): string {
  const bare = withoutPort(text);
  if (!ipaddr.isValid(bare)) return 'unknown';
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(address)}/${IPV6_PREFIX}`)}/${IPV6_PREFIX}`;
}

/** Some proxies put the port after an address of X-Forwarded-For, and one of IPv6 in brackets. */
const withoutPort = (text: string): string =>
  /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(text)?.slice(1).join('') ?? text;

const withoutZone = (address: ipaddr.IPv6): string => new ipaddr.IPv6(address.parts).toString();
