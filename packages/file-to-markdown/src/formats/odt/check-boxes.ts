import { checkBox } from '../../shared/text/check-box.js';
import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';

const FIELD = /FORMCHECKBOX$/;
const FIELD_STATE = 'Checkbox_Checked';

/** Puts what check boxes show into the elements that stand for them in the text. */
export function insertCheckBoxes(body: XmlElement): void {
  const forms = elementAt(body, 'forms');
  const boxes = new Map<string, string>();
  if (forms) collectBoxes(forms, boxes);
  insertIn(body, boxes);
}

/** Form controls, which the text refers to by their ids. */
function collectBoxes(element: XmlElement, boxes: Map<string, string>): void {
  const { name, attributes } = element;
  if (name === 'checkbox') {
    const state = attributes['current-state'] ?? attributes.state;
    boxes.set(attributes.id ?? '', `${checkBox(state === 'checked')} ${attributes.label ?? ''}`.trim());
  }
  for (const child of childElements(element)) collectBoxes(child, boxes);
}

function insertIn(element: XmlElement, boxes: Map<string, string>): void {
  const shown = shownBy(element, boxes);
  if (shown !== undefined) element.children = [shown];
  else for (const child of childElements(element)) insertIn(child, boxes);
}

/** A form control, a field of the kind that Word has, or a content control. */
function shownBy(element: XmlElement, boxes: Map<string, string>): string | undefined {
  const { name, attributes } = element;
  if (name === 'control') return boxes.get(attributes.control ?? '');
  if (name === 'content-control' && attributes.checkbox === 'true')
    return checkBox(attributes.checked === 'true');
  if (name !== 'fieldmark' || !FIELD.test(attributes.type ?? '')) return undefined;
  const state = childElements(element, 'param').find((one) => one.attributes.name === FIELD_STATE);
  return checkBox(state?.attributes.value === 'true');
}
