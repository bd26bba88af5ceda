import ipaddr from 'ipaddr.js';

/** Whether only this machine reaches a host. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(address)) return ipaddr.process(address).range() === 'loopback';
  return host.toLowerCase() === 'localhost';
}
