import { parseJsonInSteps } from '../async/parse-json.js';
import { runYielding } from '../async/steps.js';
import { fetchUrl } from './fetch-url.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;
const MAX_VALUES = 10_000;

/**
 * Fetches a small JSON document, without redirects.
 *
 * @param allowHosts hosts that may have private addresses
 * @returns its value, and what time it is at its server, if that says
 * @throws FetchError
 */
export async function fetchJson(url: string, allowHosts: string[]) {
  const { body, serverTime } = await fetchUrl(url, {
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 0,
    allowHosts,
    headers: { accept: 'application/json' },
  });
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  try {
    return {
      value: await runYielding(parseJsonInSteps(Buffer.concat(parts).toString(), MAX_VALUES)),
      serverTime,
    };
  } catch (cause) {
    throw new Error('The server sent no valid JSON.', { cause });
  }
}
