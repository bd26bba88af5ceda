import type { DomElement } from './dom.js';

const BLOCKS =
  'address, article, aside, blockquote, br, caption, center, dd, details, div, dl, dt, fieldset, figcaption, figure, ' +
  'footer, form, h1, h2, h3, h4, h5, h6, header, hr, legend, li, main, nav, ol, option, p, pre, section, summary, ' +
  'table, td, th, ul';
/** Each is a text of its own, also where nothing stands between two. */
const APART = 'a, button, code, kbd, label';

/** The text of a table's cell on one line: blocks in it do not run together, and items of lists have their marks. */
export function cellText(cell: DomElement): string {
  for (const list of cell.querySelectorAll('ul, ol')) markItems(list);
  for (const image of cell.querySelectorAll('img')) image.replaceWith(` ${image.getAttribute('alt') ?? ''} `);
  for (const block of cell.querySelectorAll(BLOCKS)) {
    block.before(' ');
    block.after(' ');
  }
  for (const part of cell.querySelectorAll(APART)) {
    if (part.previousSibling && part.previousSibling === part.previousElementSibling) part.before(' ');
  }
  return (cell.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** A list of one is no list. */
function markItems(list: DomElement): void {
  const items = [...list.children].filter(({ localName }) => localName === 'li');
  if (items.length < 2) return;
  const isNumbered = list.localName === 'ol';
  items.forEach((item, index) => {
    if (!isEmpty(item)) item.before(isNumbered ? ` ${index + 1}. ` : ' - ');
  });
}

function isEmpty({ childNodes }: DomElement): boolean {
  for (const _ of childNodes) return false;
  return true;
}
