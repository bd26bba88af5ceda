import { linkedController } from '../async/linked-signals.js';
import { createAllowlist } from './allowlist.js';
import { decompressBody } from './decompress-body.js';
import { FetchError, toFetchError } from './fetch-error.js';
import { createHttpClient } from './http-client.js';
import { firstHeader } from './resource-headers.js';

/** The whole exchange. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const HEADERS = { 'user-agent': 'lectern', 'accept-encoding': 'gzip, deflate, br' };
/** Answers that say that the server cannot answer now. */
const OUTAGES = new Set([408, 425, 429]);

export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Fetches a small answer with any status, for libraries that have the shape of `fetch`: to public addresses alone, without
 * redirects, whole and in time.
 *
 * @param allowHosts hosts that may have private addresses
 * @throws FetchError, also where the server says that it cannot answer now
 */
export async function fetchResponse(
  url: string,
  { method, headers, body, signal: outer }: FetchRequest,
  allowHosts: string[],
): Promise<Response> {
  const client = createHttpClient(createAllowlist(allowHosts));
  const { signal, abort } = linkedController(outer);
  const tookTooLong = Object.assign(new Error('The exchange took too long.'), { name: 'TimeoutError' });
  const timer = setTimeout(() => abort(tookTooLong), TIMEOUT_MS).unref();
  try {
    const answer = await client(new URL(url), { method, headers: { ...headers, ...HEADERS }, body, signal });
    if (answer.status >= 500 || OUTAGES.has(answer.status)) {
      answer.close();
      throw new FetchError('http_status', `The server answered with status ${answer.status}.`, true);
    }
    const encoding = firstHeader(answer.headers, 'content-encoding') ?? 'identity';
    const parts: Uint8Array[] = [];
    for await (const part of decompressBody(answer.body, { encoding, maxBytes: MAX_BYTES })) parts.push(part);
    return toResponse(answer.status, firstHeader(answer.headers, 'content-type'), Buffer.concat(parts));
  } catch (error) {
    throw toFetchError(signal.aborted ? signal.reason : error);
  } finally {
    clearTimeout(timer);
    abort();
  }
}

function toResponse(status: number, contentType: string | undefined, body: Buffer<ArrayBuffer>): Response {
  const headers = { ...(contentType !== undefined && { 'content-type': contentType }) };
  return new Response(body.length === 0 ? null : body, { status, headers });
}
