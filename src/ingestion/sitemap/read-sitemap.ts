import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { withDeadline } from '../../async/linked-signals.js';
import { invalid, tooManyRequests, unavailable } from '../../errors/errors.js';
import { PageList } from './page-list.js';
import type { PageBatch } from './protocol.js';
import {
  type ReadSitemapFileDependencies,
  readSitemapFile,
  sitemapUnavailableError,
} from './read-sitemap-file.js';

/** Unspecified: of all URLs together, far above what ordinary ones take. The rest counts as what is too many. */
const MAX_CHARACTERS = 4 * 2 ** 20;
export const MAX_FILES = 50;
/** Indexes within an index within the first one are not followed. */
const MAX_DEPTH = 2;
const TIMEOUT_MS = 120_000;
/** Sitemaps that this process reads at once, one of each tenant. */
const CONCURRENCY = 4;
/** Queued requests per tenant. */
const MAX_WAITING = 10;

export interface SitemapUrls {
  /** Each once, in the order in which they are listed. */
  urls: string[];
  /** The beginnings of those that are longer than any page's URL may be. */
  tooLong: string[];
  /** Whether there are more. */
  truncated: boolean;
}

export interface ReadSitemapOptions {
  tenantId: string;
  maxUrls: number;
  /** Fires when the client disconnects. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads the pages that a site lists: in a sitemap, an index of sitemaps, a feed or a plain list of addresses, also
 * packed with gzip. One at a time for each tenant; further ones are queued.
 */
export function createReadSitemap(dependencies: ReadSitemapFileDependencies) {
  const limit = createConcurrencyLimit({ perKey: 1, total: CONCURRENCY });

  /**
   * @throws DomainError `invalid` about `sitemap`, also while its site is away; `unavailable` where others are read for
   *   too long; `too_many_requests` where the tenant has more waiting than it may
   */
  return async function readSitemap(
    url: string,
    { tenantId, maxUrls, signal: caller }: ReadSitemapOptions,
  ): Promise<SitemapUrls> {
    if (limit.countWaiting(tenantId) >= MAX_WAITING) throw tooManyWaiting();
    let isQueued = true;
    const run = (signal: AbortSignal) => {
      const read = () => {
        isQueued = false;
        return readAll(url, { maxUrls, signal });
      };
      return limit.run(tenantId, read, signal);
    };
    try {
      return await withDeadline(TIMEOUT_MS, caller, run, () => (isQueued ? isBusy() : tookTooLong()));
    } catch (error) {
      if (caller?.aborted) throw unavailable('Nobody waits for the sitemap any more.', error);
      throw error;
    }
  };

  async function readAll(
    url: string,
    { maxUrls, signal }: { maxUrls: number; signal: AbortSignal },
  ): Promise<SitemapUrls> {
    const pages = new PageList({ maxPages: maxUrls, maxCharacters: MAX_CHARACTERS });
    const options = {
      // One more than is wanted shows that there are more.
      maxPages: maxUrls + 1,
      maxCharacters: MAX_CHARACTERS,
      maxSitemaps: MAX_FILES + 1,
      signal,
      onPages: (batch: PageBatch) => pages.add(batch),
    };
    const seen = new Set([url]);
    const open = [{ url, depth: 0 }];
    let hasMoreFiles = false;
    for (let next = open.shift(); next; next = open.shift()) {
      const { sitemaps } = await readSitemapFile(next.url, options, dependencies);
      if (pages.hasMore) break;
      for (const sitemap of sitemaps) {
        if (seen.has(sitemap)) continue;
        if (seen.size >= MAX_FILES || next.depth === MAX_DEPTH) hasMoreFiles = true;
        else open.push({ url: sitemap, depth: next.depth + 1 });
        seen.add(sitemap);
      }
    }
    if (pages.isEmpty) throw invalid('The sitemap lists no pages.', ['sitemap']);
    return { urls: pages.urls, tooLong: pages.tooLong, truncated: pages.hasMore || hasMoreFiles };
  }
}

const tooManyWaiting = () =>
  tooManyRequests('Too many sitemaps of this tenant wait to be read; try again later.');
const isBusy = () => unavailable('Too many sitemaps are being read; try again later.');
const tookTooLong = () => sitemapUnavailableError('Reading the sitemap took too long; try again later.');
