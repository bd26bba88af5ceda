import type { DomElement } from '../../formats/html/dom.js';

type Write = (parts: string[]) => string;

/** How structures of MathML are written on a line. */
const STRUCTURES: Record<string, Write> = {
  mfrac: ([above = '', below = '']) => `${group(above)}/${group(below)}`,
  msup: ([base = '', above = '']) => `${base}^${group(above)}`,
  msub: ([base = '', below = '']) => `${base}_${group(below)}`,
  msubsup: ([base = '', below = '', above = '']) => `${base}_${group(below)}^${group(above)}`,
  munder: ([base = '', below = '']) => `${base}_${group(below)}`,
  mover: ([base = '', above = '']) => base + (isAccent(above) ? above : `^${group(above)}`),
  munderover: ([base = '', below = '', above = '']) => `${base}_${group(below)}^${group(above)} `,
  msqrt: (parts) => `√${group(joined(parts))}`,
  mroot: ([base = '', index = '']) => `${index}√${group(base)}`,
  mtable: (rows) => rows.join('; '),
  mtr: (cells) => cells.join(' '),
  mlabeledtr: (cells) => cells.join(' '),
  mspace: () => ' ',
};
/** The same again, in other notations. */
const SKIPPED = /^(?:annotation|annotation-xml|mphantom|none|mprescripts)$/;
const ENDS_WORD = /[\p{L}\p{N}]$/u;
const STARTS_WORD = /^[\p{L}\p{N}]/u;
const INVISIBLE_OPERATORS = /[\u2061-\u2064]/g;

/** An equation as people write it on one line: `x^2`, `(a+b)/2`. */
export function mathText(math: DomElement): string {
  const text = write(math) || math.getAttribute('alttext') || '';
  return text.replace(/\s+/g, ' ').trim();
}

function write(element: DomElement): string {
  const name = element.localName.slice(element.localName.indexOf(':') + 1).toLowerCase();
  if (SKIPPED.test(name)) return '';
  const children = [...element.children];
  if (children.length === 0) return leafText(element);
  const parts = children.map(write);
  const structure = Object.hasOwn(STRUCTURES, name) ? STRUCTURES[name] : undefined;
  if (structure) return structure(parts);
  if (name !== 'mfenced') return joined(parts);
  const [open, close] = [element.getAttribute('open') ?? '(', element.getAttribute('close') ?? ')'];
  return `${open}${parts.join(', ')}${close}`;
}

function leafText({ textContent }: DomElement): string {
  return (textContent ?? '').replace(INVISIBLE_OPERATORS, '').replace(/\s+/g, ' ').trim();
}

/** Names and numbers that stand beside each other are several. */
function joined(parts: string[]): string {
  const written = parts.filter(Boolean);
  return written
    .map((part, index) => {
      const before = written[index - 1]?.slice(-2) ?? '';
      return (ENDS_WORD.test(before) && STARTS_WORD.test(part) ? ' ' : '') + part;
    })
    .join('');
}

const isAccent = (text: string): boolean => text.length === 1 && !/[\p{L}\p{N}]/u.test(text);

function group(text: string): string {
  const inner = text.trim();
  return [...inner].length > 1 && !/^\([^()]*\)$/.test(inner) ? `(${inner})` : inner;
}
