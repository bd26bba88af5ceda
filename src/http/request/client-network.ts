import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Smallest network of one customer: a /64 in IPv6. */
const IPV6_PREFIX = 64;

/** The client's network for rate limits. */
export const clientNetworkOf = (req: Request): string => networkOf(req.ip);

/** The network of a customer: an IPv4 address or an IPv6 /64. */
export function networkOf(text: string | undefined): string {
  if (!text || !ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(address)}/${IPV6_PREFIX}`)}/${IPV6_PREFIX}`;
}

const withoutZone = (address: ipaddr.IPv6): string => new ipaddr.IPv6(address.parts).toString();
