import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** What one customer of a network provider has to itself at least: with IPv6 that are 2^64 addresses. */
const IPV6_PREFIX = 64;

/** Whom a request comes from, where no key tells: an IPv4 address, or a network of IPv6 addresses. */
export function clientNetworkOf(req: Request): string {
  if (!req.ip || !ipaddr.isValid(req.ip)) return 'unknown';
  const address = ipaddr.process(req.ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(address)}/${IPV6_PREFIX}`)}/${IPV6_PREFIX}`;
}

const withoutZone = (address: ipaddr.IPv6): string => new ipaddr.IPv6(address.parts).toString();
