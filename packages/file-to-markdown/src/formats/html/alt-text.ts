import type { DomDocument, DomElement } from './dom.js';

const MAX_NEIGHBOURS = 8;
const MAX_IMAGES = 500;
const MAX_CAPTION = 300;
const MAX_BESIDE = 3_000;
const CAPTION_LEVELS = 3;
/** Who took the picture. */
const MAX_UNKNOWN = 0.2;
const WORD = /[\p{L}\p{N}]+/gu;

/** Takes out what an image is called where the text beside it says the same. */
export function removeRedundantAltText(document: DomDocument): void {
  const texts = new Map<DomElement, string>();
  for (const image of [...document.querySelectorAll('img[alt]')].slice(0, MAX_IMAGES)) {
    const alt = image.getAttribute('alt')?.trim();
    const around = image.parentElement?.parentElement ?? image.parentElement;
    const isSmall = around && [...around.children].length <= MAX_NEIGHBOURS;
    if (!alt || !isSmall) continue;
    const text = texts.get(around) ?? around.textContent ?? '';
    texts.set(around, text);
    if (text.includes(alt)) image.remove();
  }
}

/** Takes out what the images of an article are called where a caption or the heading says it, or another image before. */
export function removeKnownAltText(article: DomElement, heading: string | undefined): void {
  const known = new Set(wordsOf(heading ?? ''));
  for (const image of article.querySelectorAll('img[alt]')) {
    const alt = image.getAttribute('alt')?.trim() ?? '';
    if (isFileName(alt) || saysHardlyMore(alt, known) || hasCaption(image, alt)) image.remove();
    for (const word of wordsOf(alt)) known.add(word);
  }
}

function saysHardlyMore(alt: string, known: ReadonlySet<string>): boolean {
  const words = wordsOf(alt);
  const unknown = words.filter((word) => !known.has(word) && !/^\d+$/.test(word));
  return unknown.length <= words.length * MAX_UNKNOWN;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

const isFileName = (alt: string): boolean => /^[^\s_-]+[_-]\S+$/.test(alt);

/** Whether the first element around an image that has text has but a line of it, or what the image is called. */
function hasCaption(image: DomElement, alt: string): boolean {
  let around = image.parentElement;
  for (let level = 0; around && level < CAPTION_LEVELS; level++) {
    const text = around.textContent?.trim() ?? '';
    if (text.length > MAX_BESIDE) return false;
    if (text.length > MAX_CAPTION) return saysHardlyMore(alt, new Set(wordsOf(text)));
    if (text) return around.localName !== 'p';
    around = around.parentElement;
  }
  return false;
}
