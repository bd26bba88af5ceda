import type { DomElement } from './dom.js';

const HEADING = 'h1, h2, h3, h4, h5, h6';

/** Headings with nothing below them before the next one of their level. */
export function emptyHeadings(article: DomElement): Set<DomElement> {
  const empty = new Set<DomElement>();
  let open: DomElement[] = [];
  for (const element of article.querySelectorAll('*')) {
    if (/^h[2-6]$/.test(element.localName)) {
      open = open.filter((heading) => heading.localName < element.localName);
      open.push(element);
      empty.add(element);
    } else if (open.length > 0 && hasOwnText(element) && !element.closest(HEADING)) {
      for (const heading of open) empty.delete(heading);
      open = [];
    }
  }
  return empty;
}

function hasOwnText(element: DomElement): boolean {
  if (element.localName === 'img') return Boolean(element.getAttribute('alt')?.trim());
  return [...(element.childNodes as Iterable<{ nodeType: number; textContent: string | null }>)].some(
    ({ nodeType, textContent }) => nodeType === 3 && (textContent ?? '').trim() !== '',
  );
}
