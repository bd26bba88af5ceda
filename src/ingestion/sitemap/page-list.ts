import type { PageBatch, SitemapLimits } from './protocol.js';

/** The pages of all files of a sitemap, each once, up to what is wanted. */
export class PageList {
  readonly #limits: Pick<SitemapLimits, 'maxPages' | 'maxCharacters'>;
  readonly #seen = new Set<string>();
  #characters = 0;
  readonly urls: string[] = [];
  /** The beginnings of those that are too long. */
  readonly tooLong: string[] = [];
  /** Whether there are pages beyond those that are wanted. */
  hasMore = false;

  constructor(limits: Pick<SitemapLimits, 'maxPages' | 'maxCharacters'>) {
    this.#limits = limits;
  }

  add({ pages, tooLong }: PageBatch): void {
    for (const page of pages) this.#addTo(this.urls, page);
    for (const page of tooLong) this.#addTo(this.tooLong, page);
  }

  #addTo(list: string[], page: string): void {
    if (this.hasMore || this.#seen.has(page)) return;
    const { maxPages, maxCharacters } = this.#limits;
    const characters = this.#characters + page.length;
    if (this.#seen.size === maxPages || characters > maxCharacters) {
      this.hasMore = true;
      return;
    }
    this.#seen.add(page);
    this.#characters = characters;
    list.push(page);
  }

  get isEmpty(): boolean {
    return this.#seen.size === 0;
  }
}
