import { childElements, elementAt, textContent, type XmlElement } from '../xml/xml-tree.js';

type Write = (element: XmlElement) => string;

const OVERLINE = '\u0305';
const UNDERLINE = '\u0332';
const SKIPPED = /Pr$|^(?:del|moveFrom)$/;

/** How structures of an equation (ECMA-376 22.1) are written on a line. */
const STRUCTURES: Record<string, Write> = {
  f: writeFraction,
  sSup: (element) => `${part(element, 'e')}^${group(part(element, 'sup'))}`,
  sSub: (element) => `${part(element, 'e')}_${group(part(element, 'sub'))}`,
  sSubSup: (element) => `${part(element, 'e')}_${group(part(element, 'sub'))}^${group(part(element, 'sup'))}`,
  sPre: (element) => `_${group(part(element, 'sub'))}^${group(part(element, 'sup'))}${part(element, 'e')}`,
  rad: (element) => `${part(element, 'deg')}√${group(part(element, 'e'))}`,
  nary: writeNary,
  d: writeDelimited,
  func: (element) => `${part(element, 'fName')} ${part(element, 'e')}`,
  limLow: (element) => `${part(element, 'e')}_${group(part(element, 'lim'))}`,
  limUpp: (element) => `${part(element, 'e')}^${group(part(element, 'lim'))}`,
  m: (element) =>
    childElements(element, 'mr')
      .map((row) => partsOf(row).join(' '))
      .join('; '),
  // Ampersands say where lines are aligned.
  eqArr: (element) => partsOf(element).join('; ').replaceAll('&', ''),
  acc: (element) => part(element, 'e') + (propertyOf(element, 'chr') ?? '\u0302'),
  bar: (element) => part(element, 'e') + (propertyOf(element, 'pos') === 'top' ? OVERLINE : UNDERLINE),
  phant: (element) => (/^(?:0|off|false)$/.test(propertyOf(element, 'show') ?? '') ? '' : part(element, 'e')),
  br: () => ' ',
  oMathPara: (element) => childElements(element, 'oMath').map(content).join('\n'),
  t: (element) => textContent(element),
};

/** An equation as people write it on one line: `x^2`, `(a+b)/2`. */
export function equationText(element: XmlElement): string {
  return write(element)
    .replace(/[ \t]+/g, ' ')
    .trim();
}

function write(element: XmlElement): string {
  if (SKIPPED.test(element.name)) return '';
  const known = Object.hasOwn(STRUCTURES, element.name) ? STRUCTURES[element.name] : undefined;
  return known ? known(element) : content(element);
}

function content(element: XmlElement): string {
  return childElements(element).map(write).join('');
}

function part(element: XmlElement, name: string): string {
  const found = elementAt(element, name);
  return found ? content(found) : '';
}

function partsOf(element: XmlElement): string[] {
  return childElements(element, 'e').map(content);
}

function propertyOf(element: XmlElement, name: string): string | undefined {
  const properties = childElements(element).find((child) => child.name === `${element.name}Pr`);
  return elementAt(properties, name)?.attributes.val;
}

/** Without its bar, it is a binomial. */
function writeFraction(element: XmlElement): string {
  const [above, below] = [part(element, 'num'), part(element, 'den')];
  return propertyOf(element, 'type') === 'noBar' ? `${above}; ${below}` : `${group(above)}/${group(below)}`;
}

function writeNary(element: XmlElement): string {
  const [sub, sup] = [part(element, 'sub'), part(element, 'sup')];
  const limits = (sub && `_${group(sub)}`) + (sup && `^${group(sup)}`);
  return `${propertyOf(element, 'chr') ?? '∫'}${limits} ${part(element, 'e')}`;
}

function writeDelimited(element: XmlElement): string {
  const inner = partsOf(element).join(propertyOf(element, 'sepChr') ?? '|');
  return `${propertyOf(element, 'begChr') ?? '('}${inner}${propertyOf(element, 'endChr') ?? ')'}`;
}

function group(text: string): string {
  return [...text.trim()].length > 1 && !/^\([^()]*\)$/.test(text) ? `(${text.trim()})` : text.trim();
}
