import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { invalid, unavailable } from '../../errors.js';
import { decodeText } from '../decode-text.js';
import { fetchUrl } from './fetch-source.js';
import { FetchError } from './fetch-source-error.js';
import { readEntries, type SitemapEntries } from './sitemap-entries.js';

const gunzip = promisify(zlib.gunzip);

/** What the sitemap protocol allows of one file, unpacked. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
const MAX_FILES = 50;
/** Indexes within an index within the first one are not followed. */
const MAX_DEPTH = 2;
const FILE_TIMEOUT_MS = 30_000;
const TIMEOUT_MS = 120_000;

export interface SitemapUrls {
  /** Each once, in the order in which they are listed. */
  urls: string[];
  /** Whether there are more. */
  truncated: boolean;
}

/**
 * Reads the pages that a site lists: in a sitemap, an index of sitemaps, a feed or a plain list of addresses, also
 * packed with gzip.
 */
export const createReadSitemap =
  ({ allowHosts }: { allowHosts: string[] }) =>
  /** @throws DomainError `invalid` about `sitemap`; `unavailable` where trying again may help */
  async (url: string, { maxUrls }: { maxUrls: number }): Promise<SitemapUrls> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const urls = new Set<string>();
    const seen = new Set([url]);
    const open = [{ url, depth: 0 }];
    let truncated = false;
    for (let next = open.shift(); next; next = open.shift()) {
      const { pages, sitemaps } = await readFile(next.url, { allowHosts, signal });
      for (const page of pages) {
        if (!urls.has(page) && urls.size === maxUrls) return { urls: [...urls], truncated: true };
        urls.add(page);
      }
      for (const sitemap of sitemaps) {
        if (seen.has(sitemap)) continue;
        if (seen.size >= MAX_FILES || next.depth === MAX_DEPTH) truncated = true;
        else open.push({ url: sitemap, depth: next.depth + 1 });
        seen.add(sitemap);
      }
    }
    if (urls.size === 0) throw invalid('The sitemap lists no pages.', ['sitemap']);
    return { urls: [...urls], truncated };
  };

async function readFile(
  url: string,
  { allowHosts, signal }: { allowHosts: string[]; signal: AbortSignal },
): Promise<SitemapEntries> {
  const bytes = await load(url, { allowHosts, signal });
  const entries = await readEntries(decodeText(bytes).text);
  if (entries) return entries;
  throw refused(url, 'is neither a sitemap nor a feed nor a list of URLs');
}

async function load(
  url: string,
  options: { allowHosts: string[]; signal: AbortSignal },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  try {
    const { body } = await fetchUrl(url, {
      maxBytes: MAX_FILE_BYTES,
      timeoutMs: FILE_TIMEOUT_MS,
      ...options,
    });
    for await (const part of body) parts.push(part);
  } catch (error) {
    if (options.signal.aborted)
      throw unavailable('Reading the sitemap took too long; try again later.', error);
    if (!(error instanceof FetchError)) throw error;
    const message = `The sitemap ${url} could not be fetched. ${error.message}`;
    throw error.retryable ? unavailable(message, error) : invalid(message, ['sitemap']);
  }
  return unpack(url, Buffer.concat(parts));
}

/** A `.gz` file is packed in itself, whatever its server says. */
async function unpack(url: string, bytes: Buffer): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await gunzip(bytes, { maxOutputLength: MAX_FILE_BYTES });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw refused(
      url,
      isTooLarge ? 'is larger than 50 MiB when unpacked' : 'is damaged and cannot be unpacked',
    );
  }
}

const refused = (url: string, fault: string) => invalid(`The file ${url} ${fault}.`, ['sitemap']);
