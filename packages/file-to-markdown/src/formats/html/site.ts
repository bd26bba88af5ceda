import type { DomDocument } from './dom.js';

/** The host of the site that a page says it is on. */
export function siteOf(document: DomDocument): string | undefined {
  const canonical = document.querySelector('link[rel="canonical"]')?.getAttribute('href');
  return (
    hostOf(canonical) ?? hostOf(document.querySelector('meta[property="og:url"]')?.getAttribute('content'))
  );
}

/** The host of an absolute address. */
export function hostOf(address: string | null | undefined): string | undefined {
  const match = /^(?:https?:)?\/\/([^/?#]+)/i.exec(address?.trim() ?? '');
  return match?.[1]?.toLowerCase();
}

/** Whether hosts share all but their first labels, as those of sections of one site do. */
export function isSameSite(host: string, site: string): boolean {
  const own = site.replace(/^www\./, '');
  return `.${host}`.endsWith(`.${own}`) || `.${own}`.endsWith(`.${host.replace(/^www\./, '')}`);
}
