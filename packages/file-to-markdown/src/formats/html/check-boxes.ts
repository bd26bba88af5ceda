import { checkBox } from '../../shared/text/check-box.js';
import type { DomElement } from './dom.js';

/** Elsewhere a check box unfolds a menu. */
const TEXT = 'li, td, th, p, dd, dt, label, figcaption';

/** What a check box beside a text shows; undefined for other elements. */
export function checkBoxText(element: DomElement): string | undefined {
  if (element.localName !== 'input' || element.getAttribute('type')?.toLowerCase() !== 'checkbox')
    return undefined;
  if (!element.closest(TEXT)) return undefined;
  return ` ${checkBox(element.hasAttribute('checked'))} `;
}
