import type { PageBatch, SitemapLimits } from './protocol.js';

/** Unspecified: what the sitemap protocol allows of a URL; no longer page of a sitemap is taken. */
export const MAX_URL_LENGTH = 2_048;
const SHOWN_LENGTH = 100;

/** Reads the entries of one format from parts of a text. */
export interface EntryParser {
  write(text: string): void;
  end(): void;
  /** Whether what came is of this format. */
  isRecognized(): boolean;
  /** Whether nothing that may come makes it so any more. */
  isUnsupported(): boolean;
}

/** Collects what a sitemap names, each once and no more than is wanted. */
export class SitemapEntries {
  readonly #limits: SitemapLimits;
  readonly #pages = new Set<string>();
  readonly #sitemaps = new Set<string>();
  #characters = 0;
  #batch: PageBatch = { pages: [], tooLong: [] };

  constructor(limits: SitemapLimits) {
    this.#limits = limits;
  }

  addPage(url: string): void {
    const isTooLong = url.length > MAX_URL_LENGTH;
    const kept = isTooLong ? `${url.slice(0, SHOWN_LENGTH).toWellFormed()}…` : url;
    if (!url || this.isFull || this.#pages.has(kept)) return;
    this.#pages.add(kept);
    this.#characters += kept.length;
    (isTooLong ? this.#batch.tooLong : this.#batch.pages).push(kept);
  }

  addSitemap(url: string): void {
    if (!url || url.length > MAX_URL_LENGTH || this.#sitemaps.size >= this.#limits.maxSitemaps) return;
    this.#sitemaps.add(url);
  }

  /** Whether there are all the pages that are wanted. */
  get isFull(): boolean {
    const { maxPages, maxCharacters } = this.#limits;
    return this.#pages.size >= maxPages || this.#characters > maxCharacters;
  }

  get sitemaps(): string[] {
    return [...this.#sitemaps];
  }

  /** The pages that have come since the last time. */
  drain(): PageBatch {
    const batch = this.#batch;
    this.#batch = { pages: [], tooLong: [] };
    return batch;
  }
}
