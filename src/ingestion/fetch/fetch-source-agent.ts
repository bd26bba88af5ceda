import dns from 'node:dns';
import net, { type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { AllowList } from './fetch-source-allow.js';
import { FetchError } from './fetch-source-error.js';
import { isPublicAddress } from './safe-address.js';

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * An HTTP agent that connects to public addresses only. The check sits where the socket is made, on the very
 * addresses it will use, so that neither a redirect nor a resolver that answers differently the second time
 * (DNS rebinding) gets past it.
 *
 * @param allow hosts and addresses that may be private on purpose
 * @param lookup how names become addresses
 */
export function createPublicAgent(allow: AllowList, lookup: LookupFunction = dns.lookup): Agent {
  const isReachable = (address: string) => isPublicAddress(address) || allow.address(address);
  const connectChecked = buildConnector({
    lookup: checkedLookup(lookup, isReachable),
    timeout: CONNECT_TIMEOUT_MS,
  });
  const connectAny = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS });

  const connect: buildConnector.connector = (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = options.port || (options.protocol === 'https:' ? '443' : '80');
    if (allow.host(host, port)) return connectAny(options, callback);
    // A literal address never reaches `lookup`.
    if (net.isIP(host) && !isReachable(host)) return callback(blocked(host), null);
    connectChecked(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isReachable(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(blocked(host), null);
    });
  };

  return new Agent({
    connect,
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 0,
  });
}

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
