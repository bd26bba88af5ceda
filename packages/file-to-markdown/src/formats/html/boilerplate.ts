import { ancestorsOf, within } from './ancestors-of.js';
import type { DomDocument, DomElement } from './dom.js';
import { hadControls } from './invisible.js';
import { measureText, type TextMeasures } from './text-measures.js';

const AROUND =
  'nav, header, footer, aside, form, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"]';
/** Words in class and id names of boilerplate elements. Sections of manuals are called so, too: see `isBoilerplate`. */
const NOISE =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|newsletter|breadcrumbs?|skip-?(?:link|nav|to)|share|sharing|social|sidebar|side-?nav|nav|navbar|menu|related|advert|ads?|footer|toc|table-of-contents)(?:$|[\s_-])/i;
/** Those of what stands between the paragraphs of articles. */
const NOISE_OF_ARTICLES =
  /(?:^|[\s_-])(?:rail|teasers?|trending|popular|most-?(?:read|viewed|popular)|recommend(?:ed|ations?)|read-?(?:more|next|also)|more-?(?:from|on|stories|news)|you-may|promos?|promotions?|cta|subscribe|subscription|sign-?up|paywall|donate|outbrain|taboola|tags|comments?|disqus|respond)(?:$|[\s_-])/i;
/** Boxes about who wrote an article; shorter ones are bylines. */
const AUTHOR_BOX = /(?:^|[\s_-])(?:author|bio|biography)(?:$|[\s_-])/i;
const MIN_AUTHOR_BOX = 100;
const COPYRIGHT = /(?:^|[\s_-])(?:copyright|legal|disclaimer)(?:$|[\s_-])/i;
const POPUP = /(?:^|[\s_-])(?:tooltip|popover|popup|rollover|modal)(?:$|[\s_-])/i;
/** Elements with more than this share of the page's text are the page. */
const MAX_SHARE = 0.35;
/** Menus and teasers are links, with some text between. */
const MIN_LINK_SHARE = 0.25;
const TEXT_OF_TEASER = 120;
/** Labels, such as that over an advertisement. */
const MAX_LABEL = 60;
const MAX_BANNER = 600;
const DIALOG = '[role="dialog"], [role="alertdialog"], [aria-modal="true"]';
const SCREEN_READER =
  /(?:^|\s)(?:sr-only|screen-reader-text|(?:visually|visibility)-?hidden|off-?screen|u-hidden-visually|assistive-text)(?:$|\s)/i;
const HIDDEN = /(?:^|\s)(?:d-none|hidden|hide|is-hidden|print-only|visible-print)(?:$|\s)/;
/** On screens of some width. */
const SHOWN = /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):|d-(?:sm|md|lg|xl|xxl)-)[a-z]/;
const NEVER_NOISE = /^(?:body|main|article|h[1-6]|p|pre|code|table|blockquote)$/;

interface Page {
  measures: TextMeasures;
  isArticle: boolean;
  inDialogs: Set<DomElement>;
  aroundMain: Set<DomElement>;
  aroundHeadings: Set<DomElement>;
  aroundQuotations: Set<DomElement>;
}

/** Takes out menus, banners and the like, unless most of the page is in them. */
export function removeBoilerplate(document: DomDocument, isArticle: boolean): void {
  forgetHeadingIds(document);
  unwrapQuotations(document);
  const measures = measureText(document.body);
  const page = {
    measures,
    isArticle,
    inDialogs: within(document, DIALOG),
    aroundMain: ancestorsOf(document, 'main, article, h1'),
    aroundHeadings: ancestorsOf(document, 'h2, h3, h4, h5, h6, summary, dt'),
    aroundQuotations: ancestorsOf(document, 'blockquote'),
  };
  const candidates = [...aroundTheText(document, page), ...named(document, page)];
  const total = measures.of(document.body).text;
  for (const element of candidates) {
    if (measures.of(element).text < total * MAX_SHARE) measures.remove(element);
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

/** Posts that an article quotes stand in elements named after a network, for which the search for an article drops them. */
function unwrapQuotations(document: DomDocument): void {
  for (const quotation of document.querySelectorAll('blockquote')) {
    const around = quotation.parentElement;
    if (around?.localName !== 'div') continue;
    const others = [...(around.childNodes as Iterable<{ textContent: string | null }>)].filter(
      (node) => node !== (quotation as unknown) && node.textContent?.trim(),
    );
    if (others.length === 0) around.replaceWith(quotation);
  }
}

const slugOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

/**
 * Menus and the like by their tags; not the header of an article, or of a page without another heading, and not the notes
 * of manuals.
 */
function aroundTheText(document: DomDocument, page: Page): DomElement[] {
  const inText = within(document, 'article, main, section, blockquote, li');
  const withHeading = ancestorsOf(document, 'h1');
  const withLinks = ancestorsOf(document, 'nav, a');
  return [...document.querySelectorAll(AROUND)].filter((element) => {
    if (element.localName === 'aside')
      return !inText.has(element) || page.isArticle || isLinked(element, page);
    if (element.localName !== 'header' && element.localName !== 'footer') return true;
    if (element.localName === 'header' && withHeading.has(element)) return false;
    return !inText.has(element) || withLinks.has(element);
  });
}

function named(document: DomDocument, page: Page): DomElement[] {
  return [...document.querySelectorAll('[class], [id]')].filter((element) => {
    const names = namesOf(element);
    if (NEVER_NOISE.test(element.localName) || page.aroundMain.has(element)) return false;
    if (POPUP.test(names)) return page.isArticle && isPopup(element, page);
    if (page.isArticle && isHidden(names, element)) return true;
    if (NOISE.test(names)) return isBoilerplate(element, page);
    return page.isArticle && isNoiseOfArticle(element, names, page);
  });
}

/** What opens over a word of a paragraph stands beside that word, in an element of both. */
function isPopup(element: DomElement, page: Page): boolean {
  if (element.localName === 'a' || !isBoilerplate(element, page)) return false;
  const isInParagraph = element.closest('p') !== null;
  return !isInParagraph || ![...element.children].some((inner) => POPUP.test(namesOf(inner)));
}

/** Classes by which style sheets hide what stands in an article, or show it to screen readers and on paper alone. */
function isHidden(names: string, element: DomElement): boolean {
  if (SCREEN_READER.test(names)) return !/^t[dh]$/.test(element.localName);
  return HIDDEN.test(names) && !SHOWN.test(names);
}

/** `relatedLinks` as `related-Links`. */
function namesOf(element: DomElement): string {
  const names = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`;
  return names.replace(/(?<=[a-z])(?=[A-Z])/g, '-');
}

/**
 * Whether an element with such a name looks like boilerplate, too: sections of manuals have ids made of their headings, as
 * `cookies` or `sharing-files`.
 */
function isBoilerplate(element: DomElement, page: Page): boolean {
  const { text, linked } = page.measures.of(element);
  // Posts that are quoted have links to where they were.
  const isMenu = linked >= text * MIN_LINK_SHARE && !page.aroundQuotations.has(element);
  const isTeasers = page.isArticle && isLinked(element, page);
  const isBanner = hadControls(element) && text <= MAX_BANNER && element.localName !== 'section';
  const isLabel = text <= MAX_LABEL && !page.aroundHeadings.has(element);
  return isMenu || isTeasers || isBanner || isLabel || page.inDialogs.has(element);
}

function isNoiseOfArticle(element: DomElement, names: string, page: Page): boolean {
  const { text } = page.measures.of(element);
  if (NOISE_OF_ARTICLES.test(names)) return isBoilerplate(element, page);
  if (AUTHOR_BOX.test(names)) return text >= MIN_AUTHOR_BOX && text <= MAX_BANNER && isLinked(element, page);
  return COPYRIGHT.test(names) && text <= MAX_BANNER && !page.aroundHeadings.has(element);
}

/** Teasers may have but their picture in a link. */
function isLinked(element: DomElement, { measures }: Page): boolean {
  const { text, linked, links } = measures.of(element);
  return linked >= text * MIN_LINK_SHARE || (links > 0 && text <= links * TEXT_OF_TEASER);
}

export function textLength(element: DomElement): number {
  return (element.textContent ?? '').replace(/\s+/g, '').length;
}

export function linkLength(element: DomElement): number {
  return [...element.querySelectorAll('a')].reduce((sum, link) => sum + textLength(link), 0);
}
