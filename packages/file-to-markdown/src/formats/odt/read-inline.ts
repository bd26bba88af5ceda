import { PAGE_BREAK } from '../../shared/text/page-breaks.js';
import { elementAt, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';

export interface Inline {
  text: string;
  notes: { mark: string; body: XmlElement }[];
  /** Frames and text boxes that are anchored here. */
  boxes: XmlElement[];
}

const SKIPPED = new Set(['annotation', 'annotation-end', 'ruby-text', 'script', 'event-listeners']);
const MAX_BLANKS = 100;

/** The text of a paragraph; white space in the file is no more than a blank. */
export function readInline(paragraph: XmlElement): Inline {
  const inline: Inline = { text: '', notes: [], boxes: [] };
  collect(paragraph, inline);
  inline.text = inline.text.replace(/(?<=\n) +|(?<! ) +(?=\n)/g, '').trim();
  return inline;
}

function collect(element: XmlElement, inline: Inline): void {
  for (const child of element.children) {
    if (typeof child === 'string') inline.text += child.replace(/[ \t\r\n]+/g, ' ');
    else collectElement(child, inline);
  }
}

function collectElement(element: XmlElement, inline: Inline): void {
  const { name, attributes } = element;
  if (SKIPPED.has(name)) return;
  if (name === 's') inline.text += ' '.repeat(blanksOf(attributes.c));
  else if (name === 'tab') inline.text += ' ';
  else if (name === 'line-break') inline.text += '\n';
  else if (name === 'soft-page-break') inline.text += PAGE_BREAK;
  else if (name === 'note') addNote(element, inline);
  else if (name === 'frame' || name === 'custom-shape' || name === 'g') inline.boxes.push(element);
  else collect(element, inline);
}

function blanksOf(count: string | undefined): number {
  return Math.min(MAX_BLANKS, Math.max(1, Math.floor(Number(count)) || 1));
}

function addNote(note: XmlElement, inline: Inline): void {
  const body = elementAt(note, 'note-body');
  if (!body) return;
  const mark = textContent(elementAt(note, 'note-citation')).trim();
  inline.text += `[${mark}]`;
  inline.notes.push({ mark, body });
}
