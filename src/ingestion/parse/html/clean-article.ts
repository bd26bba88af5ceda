import { linkLength, textLength } from './boilerplate.js';
import type { DomElement } from './dom.js';

const BLOCK = 'p, li, figcaption, h2, h3, h4, h5, h6, td, dd, blockquote, div';
const HOLDS_BLOCKS = 'p, li, figcaption, h1, h2, h3, h4, h5, h6, td, dd, blockquote, div, table, ul, ol, pre';
/** Shorter texts repeat by chance, and so do longer ones that are further apart. */
const MIN_REPEATED = 40;
const REPEATED_WITHIN = 4;
/** A block with more of its text in links is a reference to another page, unless it is longer than a headline. */
const LINK_SHARE = 0.9;
const MAX_HEADLINE = 160;
/** An article with more of its text in such blocks is a list of links. */
const MAX_REFERENCES = 0.5;
const MAX_BLOCKS = 5_000;

/** Takes out of an article what pages put between its paragraphs: captions twice, and headlines of other articles. */
export function cleanArticle(article: DomElement, heading: string | undefined): void {
  removeRepeatedAltText(article, heading);
  const blocks = [...article.querySelectorAll(BLOCK)]
    .slice(0, MAX_BLOCKS)
    .filter((block) => !block.querySelector(HOLDS_BLOCKS));
  removeRepeatedBlocks(blocks);
  const references = blocks.filter(isReference);
  const length = references.reduce((sum, block) => sum + textLength(block), 0);
  if (length < textLength(article) * MAX_REFERENCES) for (const block of references) block.remove();
}

/** What images are called is no news where the heading, a caption or another image says the same. */
function removeRepeatedAltText(article: DomElement, heading: string | undefined): void {
  const seen = new Set([normalize(heading)]);
  for (const image of article.querySelectorAll('img[alt]')) {
    const alt = normalize(image.getAttribute('alt'));
    if (seen.has(alt) || image.closest('figure')?.querySelector('figcaption')) image.remove();
    seen.add(alt);
  }
}

function removeRepeatedBlocks(blocks: DomElement[]): void {
  const recent: string[] = [];
  for (const block of blocks) {
    const text = normalize(block.textContent);
    if (text.length < MIN_REPEATED) continue;
    if (recent.includes(text)) block.remove();
    recent.push(text);
    if (recent.length > REPEATED_WITHIN) recent.shift();
  }
}

function isReference(block: DomElement): boolean {
  const length = textLength(block);
  const inLinks = block.closest('a') ? length : linkLength(block);
  return length > 0 && length < MAX_HEADLINE && inLinks >= length * LINK_SHARE;
}

const normalize = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();
