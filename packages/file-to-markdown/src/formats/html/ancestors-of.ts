import type { DomDocument, DomElement } from './dom.js';

/** The elements that hold one for which the selector stands: asking each of them takes time by their depth. */
export function ancestorsOf(document: DomDocument, selector: string): Set<DomElement> {
  const ancestors = new Set<DomElement>();
  for (const element of document.querySelectorAll(selector)) {
    let above = element.parentElement;
    for (; above && !ancestors.has(above); above = above.parentElement) ancestors.add(above);
  }
  return ancestors;
}

/** The elements for which the selector stands, and all that they hold. */
export function within(document: DomDocument, selector: string): Set<DomElement> {
  const found = new Set<DomElement>();
  for (const element of document.querySelectorAll(selector)) {
    // Outer elements come first.
    if (found.has(element)) continue;
    found.add(element);
    for (const inner of element.querySelectorAll('*')) found.add(inner);
  }
  return found;
}
