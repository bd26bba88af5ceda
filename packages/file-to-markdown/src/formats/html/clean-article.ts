import { removeKnownAltText } from './alt-text.js';
import type { DomElement } from './dom.js';
import { emptyHeadings } from './empty-headings.js';
import { removeRepeatedBlocks } from './repeated-text.js';
import { hostOf, isSameSite } from './site.js';
import { measureText, type TextMeasures } from './text-measures.js';

const BLOCK = 'p, li, figcaption, h2, h3, h4, h5, h6, td, dd, blockquote, div';
const HOLDS_BLOCKS = 'p, li, figcaption, h1, h2, h3, h4, h5, h6, td, dd, blockquote, div, table, ul, ol, pre';
/** A block with more of its text in links is a reference to another page, unless it is longer than a headline. */
const LINK_SHARE = 0.9;
const MAX_HEADLINE = 160;
/** "See also:" before a headline. */
const LABEL = /^[^:]{1,24}:/;
const MIN_HEADLINE = 30;
/** An article with more of its text in such blocks is a list of links. */
const MAX_REFERENCES = 0.5;
const MAX_BLOCKS = 5_000;
/** What stands over advertisements, in whatever language. */
const ADVERTISEMENT =
  /^(?:ads?|advert|advertisements?|sponsored|anzeige|werbung|publicité|publicidad|publicidade|pubblicità|advertentie|iklan|reklama|реклама|広告|广告|廣告|광고)$/i;

/** Takes out of an article what pages put between its paragraphs: captions twice, and headlines of other articles. */
export function cleanArticle(
  article: DomElement,
  { heading, site }: { heading?: string; site?: string },
): void {
  removeKnownAltText(article, heading);
  removeRepeatedBlocks(leafBlocks(article));
  const before = emptyHeadings(article);
  const blocks = leafBlocks(article);
  for (const block of blocks) if (ADVERTISEMENT.test((block.textContent ?? '').trim())) block.remove();
  const measures = measureText(article);
  const references = blocks.filter((block) => isReference(block, measures, site));
  const length = references.reduce((sum, block) => sum + measures.of(block).text, 0);
  if (length < measures.of(article).text * MAX_REFERENCES) for (const block of references) block.remove();
  for (const emptied of emptyHeadings(article)) if (!before.has(emptied)) emptied.remove();
  removeTrailingHeadings(article);
}

function leafBlocks(article: DomElement): DomElement[] {
  return [...article.querySelectorAll(BLOCK)]
    .slice(0, MAX_BLOCKS)
    .filter((block) => !block.querySelector(HOLDS_BLOCKS));
}

function isReference(block: DomElement, measures: TextMeasures, site: string | undefined): boolean {
  const { text, linked } = measures.of(block);
  if (text === 0 || text >= MAX_HEADLINE || leadsElsewhere(block, site)) return false;
  if (block.closest('a') || linked >= text * LINK_SHARE) return true;
  const label = LABEL.exec((block.textContent ?? '').trim())?.[0];
  return label !== undefined && linked >= Math.max(MIN_HEADLINE, (text - label.length) * LINK_SHARE);
}

/** Whether a block links to another site: that is a source, or what the article is about. */
function leadsElsewhere(block: DomElement, site: string | undefined): boolean {
  const link = block.closest('a') ?? block.querySelector('a[href]');
  const host = hostOf(link?.getAttribute('href'));
  return Boolean(site && host && !isSameSite(host, site));
}

/** What stood below them is loaded later, or was taken out. */
function removeTrailingHeadings(article: DomElement): void {
  const empty = emptyHeadings(article);
  const headings = [...article.querySelectorAll('h2, h3, h4, h5, h6')].reverse();
  for (const heading of headings) {
    if (!empty.has(heading)) return;
    heading.remove();
  }
}
