import { IngestionError } from '../ingestion-error.js';
import { createUrlListParser } from './parse-url-list.js';
import { createXmlParser } from './parse-xml-sitemap.js';
import type { PageBatch, SitemapLimits, SitemapResult } from './protocol.js';
import { type EntryParser, SitemapEntries } from './sitemap-entries.js';

/**
 * Reads a sitemap, an index of sitemaps, an RSS or Atom feed, or a plain list with an address on each line, until it
 * has the wanted number of pages.
 *
 * @param texts parts of a text; each gives one batch at most
 * @throws IngestionError `unsupported_type` for what is none of these
 */
export async function readEntries(
  texts: AsyncIterable<string>,
  limits: SitemapLimits,
  onPages: (batch: PageBatch) => Promise<void>,
): Promise<SitemapResult> {
  const entries = new SitemapEntries(limits);
  let parser: EntryParser | undefined;
  const flush = async () => {
    const batch = entries.drain();
    if (batch.pages.length > 0 || batch.tooLong.length > 0) await onPages(batch);
  };
  for await (const text of texts) {
    const start = text.trimStart();
    parser ??= start ? (start.startsWith('<') ? createXmlParser : createUrlListParser)(entries) : undefined;
    parser?.write(text);
    await flush();
    if (entries.isFull || parser?.isUnsupported()) break;
  }
  if (!entries.isFull && !parser?.isUnsupported()) parser?.end();
  if (!parser?.isRecognized()) {
    throw new IngestionError('unsupported_type', 'is neither a sitemap nor a feed nor a list of URLs');
  }
  await flush();
  return { sitemaps: entries.sitemaps };
}
