import { imageDescription, isImageName } from '../../shared/text/image-description.js';
import type { DomDocument, DomElement } from '../html/dom.js';

interface ChildNode {
  nodeType: number;
  textContent: string | null;
}

const TEXT = 3;
const LINES = /^(?:p|span|a|em|strong|i|b|sup|sub|h[1-6]|dt)$/;
/** Beyond these, whatever the images are called stays. */
const MAX_IMAGES = 2_000;
/** More is not what is beside an image, but the page. */
const MAX_NEIGHBOURS = 8;

/**
 * Keeps of the images what they say: within a line an image may be a letter or an equation; by itself it is worth
 * a description, unless its caption says the same or another image has it.
 */
export function describeImages(document: DomDocument, known: Set<string>): void {
  const captions = new Map<DomElement, string>();
  const lines = new Map<DomElement, boolean>();
  for (const image of [...document.querySelectorAll('img[alt]')].slice(0, MAX_IMAGES)) {
    const alt = image.getAttribute('alt') ?? '';
    const holder = image.parentElement;
    if (holder && !lines.has(holder)) lines.set(holder, isLine(holder));
    if (holder && lines.get(holder)) {
      if (isImageName(alt)) image.remove();
      continue;
    }
    const description = imageDescription(alt);
    const around = description && surroundingsOf(image);
    if (around && !captions.has(around)) captions.set(around, lettersOf(around.textContent ?? ''));
    const caption = (around && captions.get(around)) ?? '';
    if (!description || known.has(description) || caption.includes(lettersOf(description))) image.remove();
    else known.add(description);
  }
}

function isLine(holder: DomElement): boolean {
  if (LINES.test(holder.localName)) return hasText(holder);
  return [...holder.childNodes].some(
    (node) => (node as ChildNode).nodeType === TEXT && hasText(node as ChildNode),
  );
}

const hasText = ({ textContent }: Pick<ChildNode, 'textContent'>): boolean => /\S/.test(textContent ?? '');

function surroundingsOf(image: DomElement): DomElement | undefined {
  const figure = image.closest('figure');
  if (figure) return figure;
  const around = image.parentElement?.parentElement;
  return around && [...around.children].length <= MAX_NEIGHBOURS ? around : undefined;
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
