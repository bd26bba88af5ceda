import ipaddr from 'ipaddr.js';

/** Answers inside one cloud's virtual networks although its range is public (Azure's wire server). */
const METADATA = new Set(['168.63.129.16']);
/** What is given out of IPv6; all else is reserved, or carries an IPv4 address in one of its old ways. */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');

/**
 * Whether an IP address is one of the public Internet: not loopback, private, link-local (with the cloud
 * metadata services), carrier-grade NAT, multicast, reserved or documentation space, nor an IPv6 form that
 * carries such an IPv4 address. Ranges follow the IANA special-purpose registries, as ipaddr.js has them.
 */
export function isPublicAddress(address: string): boolean {
  const zoneless = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(zoneless)) return false;
  const parsed = ipaddr.process(zoneless); // unwraps ::ffff:a.b.c.d
  if (METADATA.has(parsed.toString())) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  if (parsed.match(NAT64, 96)) return isPublicAddress(embeddedIPv4(parsed.parts));
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6, 3);
}

function embeddedIPv4(parts: number[]): string {
  const [high = 0, low = 0] = parts.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
