import type { SandboxTask } from '../sandbox/protocol.js';

/** When a file is read no further. What comes up several times counts once. */
export interface SitemapLimits {
  maxPages: number;
  /** Of the pages' URLs together; the one that goes beyond is the last. */
  maxCharacters: number;
  maxSitemaps: number;
}

/** What the server asks of the process that reads sitemaps: a file that it has fetched. */
export interface SitemapTask extends SandboxTask {
  sitemapLimits: SitemapLimits;
}

/** Pages in the order in which they are listed, as many as one part of the text holds. */
export interface PageBatch {
  pages: string[];
  /** The beginnings of URLs that are longer than any page's may be. */
  tooLong: string[];
}

export interface SitemapResult {
  /** Further files that list pages. */
  sitemaps: string[];
}
