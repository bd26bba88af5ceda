import { parseHTML } from 'linkedom';
import { limitDepth } from './limit-depth.js';
import { rejectOversizedHtml } from './reject-oversized.js';

/** The part of the DOM used here; the compiler's own DOM types would declare browser globals everywhere. */
export interface DomElement {
  localName: string;
  textContent: string | null;
  innerHTML: string;
  children: Iterable<DomElement>;
  parentElement: DomElement | null;
  previousElementSibling: DomElement | null;
  previousSibling: unknown;
  childNodes: Iterable<unknown>;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  closest(selector: string): DomElement | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  append(...nodes: unknown[]): void;
  before(...nodes: unknown[]): void;
  after(...nodes: unknown[]): void;
  replaceWith(...nodes: unknown[]): void;
  remove(): void;
}

export interface DomDocument {
  body: DomElement;
  createElement(name: string): DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/**
 * Parses a page or a fragment. linkedom adds no tags that the text leaves out, so they are added here.
 *
 * @throws ParseError `too_large`
 */
export function parseDom(text: string): DomDocument {
  rejectOversizedHtml(text);
  const html = limitDepth(text);
  if (!/<body[\s>]/i.test(html)) {
    const content = html.replace(/<\/?html[^<>]*>/gi, '');
    return parseHTML(`<!doctype html><html><body>${content}</body></html>`).document;
  }
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<!doctype html><html>${html}</html>`);
  gatherBody(document);
  return document;
}

/** What stands beside the body, or in a second one, belongs to it. */
function gatherBody(document: DomDocument): void {
  const { body } = document;
  const children = [...(body.parentElement?.children ?? [])];
  const parts = children.filter((child) => child !== body && child.localName !== 'head');
  if (parts.length === 0) return;
  const at = children.indexOf(body);
  const own = [...body.childNodes];
  const nodes = children.flatMap((child, index) => {
    if (index === at) return own;
    return child.localName === 'head' ? [] : child.localName === 'body' ? [...child.childNodes] : [child];
  });
  body.append(...nodes);
  for (const child of parts) if (child.localName === 'body') child.remove();
}

/** How deep the elements of the body are nested, and how many there are. */
export function measureTree({ body }: DomDocument): { depth: number; elements: number } {
  const open = [{ element: body, depth: 1 }];
  let deepest = 0;
  let elements = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const depth = next.depth + 1;
    elements++;
    deepest = Math.max(deepest, next.depth);
    for (const element of next.element.children) open.push({ element, depth });
  }
  return { depth: deepest, elements };
}
