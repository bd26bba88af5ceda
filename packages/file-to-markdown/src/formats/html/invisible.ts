import { checkBoxText } from './check-boxes.js';
import type { DomDocument, DomElement } from './dom.js';

const INVISIBLE =
  'script, style, noscript, template, svg, iframe, object, canvas, dialog, [hidden], [aria-hidden="true"], ix\\:header';
const CONTROLS = 'input, select, textarea, datalist, button';
const HEADING = 'h1, h2, h3, h4, h5, h6, summary, dt';
const PERMALINK = /^[\s¶#§🔗]*$/u;
const HAD_CONTROLS = 'data-had-controls';
const CONTROL_LEVELS = 4;

/** Takes out what is not shown, and the parts of forms other than check boxes beside a text. */
export function removeInvisible(document: DomDocument): void {
  for (const element of document.querySelectorAll(INVISIBLE)) element.remove();
  for (const element of document.querySelectorAll(CONTROLS)) {
    // Questions that unfold their answers are buttons.
    const isText = element.closest(HEADING) || element.hasAttribute('aria-expanded');
    if (element.localName === 'button' && isText) continue;
    markAround(element);
    const box = checkBoxText(element);
    if (box === undefined) element.remove();
    else element.replaceWith(box);
  }
  for (const heading of document.querySelectorAll(HEADING)) {
    for (const link of heading.querySelectorAll('a')) {
      if (PERMALINK.test(link.textContent ?? '') && !link.querySelector('img')) link.remove();
    }
  }
}

/** Whether a button or a field stood close to the text of an element: banners ask for consent by them. */
export const hadControls = (element: DomElement): boolean => element.hasAttribute(HAD_CONTROLS);

function markAround(control: DomElement): void {
  let element = control.parentElement;
  for (let level = 0; element && level < CONTROL_LEVELS; level++) {
    element.setAttribute(HAD_CONTROLS, '');
    element = element.parentElement;
  }
}
