import type { DomDocument, DomElement } from './dom.js';

const INVISIBLE =
  'script, style, noscript, template, svg, iframe, object, canvas, dialog, [hidden], [aria-hidden="true"], ix\\:header';
const CONTROLS = 'input, select, textarea, datalist, button';
const HEADING = 'h1, h2, h3, h4, h5, h6, summary, dt';
const PERMALINK = /^[\s¶#§🔗]*$/u;
const AROUND =
  'nav, header, footer, aside, form, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"]';
/** Words in class and id names of boilerplate elements. Sections of manuals are called so, too: see `isBoilerplate`. */
const NOISE =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|newsletter|breadcrumbs?|skip-?(?:link|nav|to)|share|sharing|social|sidebar|side-?nav|nav|navbar|menu|related|advert|ads?|footer|toc|table-of-contents)(?:$|[\s_-])/i;
/** Elements with more than this share of the page's text are the page. */
const MAX_SHARE = 0.35;
/** Menus and teasers are links, with some text between. */
const MIN_LINK_SHARE = 0.25;
/** Labels, such as that over an advertisement. */
const MAX_LABEL = 60;
/** On what is around a control, up to so many levels; banners ask for consent by buttons. */
const HAD_CONTROLS = 'data-had-controls';
const CONTROL_LEVELS = 4;
const MAX_BANNER = 600;
const DIALOG = '[role="dialog"], [role="alertdialog"], [aria-modal="true"]';
const MAX_CANDIDATES = 2000;
const MAX_NEIGHBOURS = 8;
const MAX_IMAGES = 500;

/** Takes out what is not shown, and the parts of forms. */
export function removeInvisible(document: DomDocument): void {
  for (const element of document.querySelectorAll(INVISIBLE)) element.remove();
  for (const element of document.querySelectorAll(CONTROLS)) {
    // Questions that unfold their answers are buttons.
    const isText = element.closest(HEADING) || element.hasAttribute('aria-expanded');
    if (element.localName === 'button' && isText) continue;
    markAround(element);
    element.remove();
  }
  for (const heading of document.querySelectorAll(HEADING)) {
    for (const link of heading.querySelectorAll('a')) {
      if (PERMALINK.test(link.textContent ?? '') && !link.querySelector('img')) link.remove();
    }
  }
}

function markAround(control: DomElement): void {
  let element = control.parentElement;
  for (let level = 0; element && level < CONTROL_LEVELS; level++) {
    element.setAttribute(HAD_CONTROLS, '');
    element = element.parentElement;
  }
}

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

/** Takes out menus, banners and the like, unless most of the page is in them. */
export function removeBoilerplate(document: DomDocument): void {
  forgetHeadingIds(document);
  const total = textLength(document.body);
  const candidates: DomElement[] = [];
  for (const element of around(document)) if (candidates.push(element) >= MAX_CANDIDATES) break;
  for (const element of candidates) {
    if (textLength(element) < total * MAX_SHARE) element.remove();
  }
}

/** Ids made of headings say nothing of what an element is for. The search for an article would take them for names, too. */
function forgetHeadingIds(document: DomDocument): void {
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const section = heading.parentElement;
    const id = section?.getAttribute('id');
    if (id && slugOf(heading.textContent ?? '').startsWith(slugOf(id))) section?.setAttribute('id', '');
  }
}

const slugOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

function* around(document: DomDocument): Generator<DomElement> {
  for (const element of document.querySelectorAll(AROUND)) if (!isOfTheText(element)) yield element;
  for (const element of document.querySelectorAll('[class], [id]')) {
    const names = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`;
    const isNamed =
      NOISE.test(names) && !/^(?:body|main|article|h[1-6]|p|pre|code|table)$/.test(element.localName);
    if (isNamed && !element.querySelector('main, article, h1') && isBoilerplate(element)) yield element;
  }
}

/**
 * Whether an element with such a name looks like boilerplate, too: sections of manuals have ids made of their headings, as
 * `cookies` or `sharing-files`.
 */
function isBoilerplate(element: DomElement): boolean {
  const length = textLength(element);
  const isMenu = linkLength(element) >= length * MIN_LINK_SHARE;
  const isBanner =
    element.hasAttribute(HAD_CONTROLS) && length <= MAX_BANNER && element.localName !== 'section';
  const isLabel = length <= MAX_LABEL && !element.querySelector(HEADING);
  return isMenu || isBanner || isLabel || element.closest(DIALOG) !== null;
}

/** The header of an article, or of a page without another heading. */
function isOfTheText(element: DomElement): boolean {
  if (element.localName !== 'header' && element.localName !== 'footer') return false;
  const isHeader = element.localName === 'header' && element.querySelector('h1') !== null;
  return (
    isHeader ||
    (element.closest('article, main, section, blockquote, li') !== null && !element.querySelector('nav, a'))
  );
}

export function textLength(element: DomElement): number {
  return (element.textContent ?? '').replace(/\s+/g, '').length;
}

export function linkLength(element: DomElement): number {
  return [...element.querySelectorAll('a')].reduce((sum, link) => sum + textLength(link), 0);
}
