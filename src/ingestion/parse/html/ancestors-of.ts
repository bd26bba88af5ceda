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
