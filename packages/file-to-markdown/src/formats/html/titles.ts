import type { DomDocument } from './dom.js';

export interface Titles {
  /** What the page is called, without the name of its site where that can be told. */
  title?: string;
  /** The heading over its text, if it has one. */
  heading?: string;
}

/** Takes the title out, too: where the tags of head and body are left out, it would stand in the text. */
export function extractTitles(document: DomDocument): Titles {
  const element = document.querySelector('title');
  element?.remove();
  const own = oneLine(element?.textContent);
  const shared = oneLine(document.querySelector('meta[property="og:title"]')?.getAttribute('content'));
  const headings = [...document.querySelectorAll('h1')]
    .map((heading) => oneLine(heading.textContent))
    .filter(Boolean);
  const heading = headings.length === 1 ? headings[0] : undefined;
  const title = [heading, shared].find((part) => part && own?.includes(part)) ?? own ?? shared ?? heading;
  return { ...(title && { title }), ...(heading && { heading }) };
}

function oneLine(text: string | null | undefined): string | undefined {
  return text?.replace(/[\s¶]+/g, ' ').trim() || undefined;
}
