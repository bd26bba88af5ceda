import dns from 'node:dns';
import net, { type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
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
 * @param isAllowedHost hosts that may resolve to private addresses on purpose
 */
export function createPublicAgent(isAllowedHost: (host: string, port: string) => boolean): Agent {
  const connectPublic = buildConnector({ lookup: lookupPublic, timeout: CONNECT_TIMEOUT_MS });
  const connectAny = buildConnector({ timeout: CONNECT_TIMEOUT_MS });

  const connect: buildConnector.connector = (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isAllowedHost(host, options.port)) return connectAny(options, callback);
    // A literal address never reaches `lookup`.
    if (net.isIP(host) && !isPublicAddress(host)) return callback(blocked(host), null);
    connectPublic(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
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

const lookupPublic: LookupFunction = (host, options, callback) => {
  dns.lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const first = addresses[0];
    if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
      return callback(blocked(host), []);
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

function blocked(host: string): FetchError {
  const message = `The host ${host} is not on the public Internet, so it is not fetched; upload the file instead.`;
  return new FetchError('blocked_address', message, false);
}
