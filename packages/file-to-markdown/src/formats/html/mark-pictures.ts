import type { DomDocument, DomElement } from './dom.js';

/** Beyond these, images are not looked at. */
const MAX_IMAGES = 10_000;
/** What an image may be a part of; what is read in it comes after that. */
const AROUND = 'figure, p, h1, h2, h3, h4, h5, h6, dt';
const INLINE = /^(?:a|abbr|b|em|font|i|label|picture|small|span|strong|sub|sup|u)$/;

/**
 * Puts a paragraph with a mark behind each image, or behind the paragraph that has it.
 *
 * @param markOf the mark of an image by its source; empty where it is not read
 */
export async function markPictures(
  document: DomDocument,
  markOf: (source: string) => Promise<string>,
): Promise<void> {
  const last = new Map<DomElement, DomElement>();
  for (const image of [...document.querySelectorAll('img[src]')].slice(0, MAX_IMAGES)) {
    const mark = await markOf(image.getAttribute('src') ?? '');
    if (!mark) continue;
    const paragraph = document.createElement('p');
    paragraph.textContent = mark;
    const block = image.closest(AROUND) ?? outermostInline(image);
    (last.get(block) ?? block).after(paragraph);
    last.set(block, paragraph);
  }
}

function outermostInline(image: DomElement): DomElement {
  let outermost = image;
  while (outermost.parentElement && INLINE.test(outermost.parentElement.localName))
    outermost = outermost.parentElement;
  return outermost;
}
