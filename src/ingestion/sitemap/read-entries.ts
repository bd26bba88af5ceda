import { IngestionError } from '../ingestion-error.js';
import { Entries } from './entries.js';
import { readLines } from './line-entries.js';
import type { PageBatch, SitemapLimits, SitemapOutcome } from './protocol.js';
import { readXml } from './xml-entries.js';

/** Reads the entries of one format from parts of a text. */
export interface EntryReader {
  write(text: string): void;
  end(): void;
  /** Whether what came is of this format. */
  isKnown(): boolean;
  /** Whether nothing that may come makes it so any more. */
  isLost(): boolean;
}

/**
 * Reads a sitemap, an index of sitemaps, an RSS or Atom feed, or a plain list with an address on each line, until it
 * has the wanted number of pages.
 *
 * @param texts parts of a text; each gives one batch at most
 * @throws IngestionError `not_a_sitemap` for what is none of these
 */
export async function readEntries(
  texts: AsyncIterable<string>,
  limits: SitemapLimits,
  onPages: (batch: PageBatch) => Promise<void>,
): Promise<SitemapOutcome> {
  const entries = new Entries(limits);
  let reader: EntryReader | undefined;
  const flush = async () => {
    const batch = entries.take();
    if (batch.pages.length > 0 || batch.tooLong.length > 0) await onPages(batch);
  };
  for await (const text of texts) {
    const start = text.trimStart();
    reader ??= start ? (start.startsWith('<') ? readXml : readLines)(entries) : undefined;
    reader?.write(text);
    await flush();
    if (entries.isFull || reader?.isLost()) break;
  }
  if (!entries.isFull && !reader?.isLost()) reader?.end();
  if (!reader?.isKnown()) {
    throw new IngestionError('not_a_sitemap', 'is neither a sitemap nor a feed nor a list of URLs');
  }
  await flush();
  return { sitemaps: entries.sitemaps };
}
