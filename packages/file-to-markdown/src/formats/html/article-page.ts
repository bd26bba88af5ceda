import type { DomDocument } from './dom.js';

/** Microdata and Open Graph of articles. */
const DECLARATIONS =
  'meta[property="og:type"][content="article" i], [itemprop~="articleBody"], [itemtype$="Article"], [itemtype$="BlogPosting"]';
const JSON_LD = 'script[type="application/ld+json"]';
/** Types of schema.org that are articles, where JSON says what a page is. */
const ARTICLE_TYPE = /"@type"\s{0,9}:[\s[]{0,9}"(?:[A-Z][a-z]{0,20}){0,3}?(?:Article|BlogPosting|Report)"/;
const MAX_SCRIPTS = 20;

/** Whether a page says that it is an article, as those of newspapers and blogs do. Called before its scripts are removed. */
export function isArticlePage(document: DomDocument): boolean {
  if (document.querySelector(DECLARATIONS)) return true;
  const scripts = [...document.querySelectorAll(JSON_LD)].slice(0, MAX_SCRIPTS);
  return scripts.some((script) => ARTICLE_TYPE.test(script.textContent ?? ''));
}
