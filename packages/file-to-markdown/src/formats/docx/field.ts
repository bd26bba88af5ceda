import { checkBox } from '../../shared/text/check-box.js';
import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import { isOn } from './styles.js';

/** What a form field shows that has no text of its own: a check box or a list to choose from. */
export function formFieldText(fieldCharacter: XmlElement): string {
  const data = elementAt(fieldCharacter, 'ffData');
  const box = elementAt(data, 'checkBox');
  if (box) {
    const state = elementAt(box, 'checked') ?? elementAt(box, 'default');
    return checkBox(state !== undefined && isOn(state));
  }
  const list = elementAt(data, 'ddList');
  if (!list) return '';
  const chosen = elementAt(list, 'result') ?? elementAt(list, 'default');
  return childElements(list, 'listEntry')[Number(chosen?.attributes.val ?? 0)]?.attributes.val ?? '';
}
