import type { SandboxTask } from '../sandbox/protocol.js';

/** Limits of reading one file. Duplicates count once. */
export interface SitemapLimits {
  maxPages: number;
  /** Of the pages' URLs together; the one that goes beyond is the last. */
  maxCharacters: number;
  maxSitemaps: number;
}

/** A task for the sitemap process: a downloaded file. */
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
