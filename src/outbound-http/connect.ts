import dns from 'node:dns';
import net, { type LookupFunction, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import tls from 'node:tls';
import type { Allowlist } from './allowlist.js';
import { FetchError } from './fetch-error.js';
import { isPublicAddress } from './public-address.js';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects to the server of a URL, with TLS where the URL says so. The connection ends when `signal` fires.
 *
 * @throws FetchError `blocked_address`; what the resolver, the socket or TLS say
 */
export type Connect = (url: URL, signal: AbortSignal) => Promise<Socket>;

/**
 * Makes connections to public addresses only. SSRF protection: addresses are checked when the socket is
 * created, on the addresses it uses, so that neither redirects nor DNS rebinding bypass it.
 *
 * @param allow hosts and addresses that may be private
 * @param lookup DNS lookup
 */
export function createPublicConnect(allow: Allowlist, lookup: LookupFunction = dns.lookup): Connect {
  const isAllowedAddress = (address: string) => isPublicAddress(address) || allow.allowsAddress(address);
  const checked = checkedLookup(lookup, isAllowedAddress);

  return async (url, signal) => {
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port || (isSecure ? '443' : '80');
    const isTrusted = allow.allowsHost(host, port);
    // A literal address never reaches `lookup`.
    if (!isTrusted && net.isIP(host) && !isAllowedAddress(host)) throw blockedAddressError(host);
    const target = { host, port: Number(port), lookup: isTrusted ? lookup : checked, noDelay: true };
    const socket = isSecure ? tls.connect({ ...target, ...tlsOptions(host) }) : net.connect(target);
    socket.once('connect', () => {
      const address = socket.remoteAddress;
      if (isTrusted || (address !== undefined && isAllowedAddress(address))) return;
      // A peer that is gone already has no address.
      socket.destroy(
        address === undefined ? new Error('The connection broke off.') : blockedAddressError(host),
      );
    });
    return waitForConnection(addAbortSignal(signal, socket), isSecure ? 'secureConnect' : 'connect');
  };
}

function waitForConnection(socket: Socket, event: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timeout = Object.assign(new Error('No connection in time.'), { name: 'TimeoutError' });
    const timer = setTimeout(() => socket.destroy(timeout), CONNECT_TIMEOUT_MS);
    // Never removed: an unhandled error would end the process.
    socket.on('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once(event, () => {
      clearTimeout(timer);
      if (!socket.destroyed) resolve(socket);
    });
  });
}

/** What the server's certificate has to name. Addresses are no server names, and the dot of the root is not sent. */
const tlsOptions = (host: string) => ({
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
        return callback(blockedAddressError(host), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

function blockedAddressError(host: string): FetchError {
  const message = `The host ${host} is not on the public Internet, so it is not fetched; upload the file instead.`;
  return new FetchError('blocked_address', message, false);
}
