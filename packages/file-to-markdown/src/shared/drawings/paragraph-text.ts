import { equationText } from '../equations/office-math.js';
import { childElements, elementAt, textContent, type XmlElement } from '../xml/xml-tree.js';

/** Fields whose text is the same on every slide, or but a number. */
const FILLED_IN = /^(?:slidenum|datetime|header|footer)/;
const EQUATIONS = ['oMath', 'oMathPara'];

/** Runs of a paragraph; a break is a line break. Slide numbers and dates that are filled in are no text. */
export function paragraphText(paragraph: XmlElement): string {
  return runsText(paragraph).trim();
}

function runsText(element: XmlElement): string {
  return childElements(element).map(runText).join('');
}

function runText(run: XmlElement): string {
  if (run.name === 'br') return '\n';
  if (EQUATIONS.includes(run.name)) return equationText(run);
  if (run.name === 'm') return runsText(run);
  // An equation, then what older programs show in its place.
  if (run.name === 'AlternateContent') return childElements(run).map(runsText).find(Boolean) ?? '';
  if (run.name === 'fld' && FILLED_IN.test(run.attributes.type ?? '')) return '';
  return textContent(elementAt(run, 't')).replace(/\s+/g, ' ');
}
