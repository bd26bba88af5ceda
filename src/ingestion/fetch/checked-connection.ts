import dns from 'node:dns';
import net, { type LookupFunction, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import tls from 'node:tls';
import type { AllowList } from './fetch-source-allow.js';
import { FetchError } from './fetch-source-error.js';
import { isPublicAddress } from './safe-address.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects to the server of a URL, with TLS where the URL says so. The connection ends when `signal` fires.
 *
 * @throws FetchError `blocked_address`; what the resolver, the socket or TLS say
 */
export type Connect = (url: URL, signal: AbortSignal) => Promise<Socket>;

/**
 * Makes connections to public addresses only. The check sits where the socket is made, on the very addresses it will
 * use, so that neither a redirect nor a resolver that answers differently the second time (DNS rebinding) gets past it.
 *
 * @param allow hosts and addresses that may be private on purpose
 * @param lookup how names become addresses
 */
export function createConnect(allow: AllowList, lookup: LookupFunction = dns.lookup): Connect {
  const isReachable = (address: string) => isPublicAddress(address) || allow.address(address);
  const checked = checkedLookup(lookup, isReachable);

  return async (url, signal) => {
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port || (isSecure ? '443' : '80');
    const isTrusted = allow.host(host, port);
    // A literal address never reaches `lookup`.
    if (!isTrusted && net.isIP(host) && !isReachable(host)) throw blocked(host);
    const target = { host, port: Number(port), lookup: isTrusted ? lookup : checked, noDelay: true };
    const socket = isSecure ? tls.connect({ ...target, ...identity(host) }) : net.connect(target);
    socket.once('connect', () => {
      const address = socket.remoteAddress;
      if (isTrusted || (address !== undefined && isReachable(address))) return;
      // A peer that is gone already has no address.
      socket.destroy(address === undefined ? new Error('The connection broke off.') : blocked(host));
    });
    return opened(addAbortSignal(signal, socket), isSecure ? 'secureConnect' : 'connect');
  };
}

function opened(socket: Socket, event: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timeout = Object.assign(new Error('No connection in time.'), { name: 'TimeoutError' });
    const timer = setTimeout(() => socket.destroy(timeout), CONNECT_TIMEOUT_MS);
    // Stays for life: an error that nobody listens to would end the process.
    socket.on('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once(event, () => {
      clearTimeout(timer);
      if (!socket.destroyed) resolve(socket);
    });
  });
}

/** What the server's certificate has to name. Addresses are no server names, and the dot of the root is not sent. */
const identity = (host: string) => ({
  ...(!net.isIP(host) && { servername: host.replace(/\.$/, '') }),
  ALPNProtocols: ['http/1.1'],
});

function checkedLookup(lookup: LookupFunction, isReachable: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = found as dns.LookupAddress[];
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !isReachable(address)))
        return callback(blocked(host), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

function blocked(host: string): FetchError {
  const message = `The host ${host} is not on the public Internet, so it is not fetched; upload the file instead.`;
  return new FetchError('blocked_address', message, false);
}
