import ipaddr from 'ipaddr.js';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/**
 * Tells addresses that many clients share: those of trusted proxies, and of this machine where it is no client itself.
 *
 * @param trustProxy a number of proxies, of which the nearest can have any address, or their addresses
 */
export function sharedAddresses(
  trustProxy: number | string[],
  { includeLoopback }: { includeLoopback: boolean },
): (address: string) => boolean {
  if (typeof trustProxy === 'number' && trustProxy > 0) return () => true;
  const proxies = typeof trustProxy === 'number' ? [] : trustProxy;
  const shared = [...proxies, ...(includeLoopback ? LOOPBACK : [])].map(rangeOf);
  return (address) =>
    ipaddr.isValid(address) && ipaddr.subnetMatch(ipaddr.process(address), { shared }) === 'shared';
}

function rangeOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
