import type { DomElement } from './dom.js';

const [ELEMENT, TEXT] = [1, 3];

interface Measure {
  /** Characters, without spaces. */
  text: number;
  /** Those of them in links. */
  linked: number;
  links: number;
}

/** How much text elements hold, and how much of it is links. */
export interface TextMeasures {
  of(element: DomElement): Readonly<Measure>;
  /** Takes an element out of its document, and what it held off the measures of those around it. */
  remove(element: DomElement): void;
}

interface DomNode {
  nodeType: number;
  textContent: string | null;
}

interface Measured {
  element: DomElement;
  measure: Measure;
  around?: Measured;
  isLinked: boolean;
}

/** Measures all elements below one, in one pass: asking each for its text takes time by the square of a page. */
export function measureText(root: DomElement): TextMeasures {
  const measures = new Map<DomElement, Measure>();
  for (const { element, measure, around } of inOrder(root).reverse()) {
    measures.set(element, measure);
    if (around) add(around.measure, measure, 1);
  }
  const of = (element: DomElement) => measures.get(element) ?? newMeasure(false);
  return {
    of,
    remove(element) {
      for (let above = element.parentElement; above; above = above.parentElement) {
        const around = measures.get(above);
        if (around) add(around, of(element), -1);
      }
      element.remove();
    },
  };
}

/** All elements, outer ones first, each with what stands in itself. */
function inOrder(root: DomElement): Measured[] {
  const all: Measured[] = [];
  const open: Measured[] = [start(root)];
  for (let next = open.pop(); next; next = open.pop()) {
    all.push(next);
    for (const node of next.element.childNodes as Iterable<DomNode>) {
      if (node.nodeType === ELEMENT) open.push(start(node as unknown as DomElement, next));
      else if (node.nodeType === TEXT) addText(next, node.textContent ?? '');
    }
  }
  return all;
}

function start(element: DomElement, around?: Measured): Measured {
  const isLink = element.localName === 'a';
  const measure = newMeasure(isLink);
  return { element, measure, ...(around && { around }), isLinked: isLink || around?.isLinked === true };
}

const newMeasure = (isLink: boolean): Measure => ({ text: 0, linked: 0, links: isLink ? 1 : 0 });

function addText({ measure, isLinked }: Measured, text: string): void {
  const length = text.replace(/\s+/g, '').length;
  measure.text += length;
  if (isLinked) measure.linked += length;
}

function add(to: Measure, measure: Readonly<Measure>, sign: 1 | -1): void {
  to.text += sign * measure.text;
  to.linked += sign * measure.linked;
  to.links += sign * measure.links;
}
