import { imageDescription } from '../../shared/text/image-description.js';
import { childElements, type XmlElement } from '../../shared/xml/xml-tree.js';

/** What a drawing or an old picture holds that is text. */
export interface Drawing {
  /** The contents of text boxes. */
  boxes: XmlElement[];
  /** Ids of the relations that lead to charts and diagrams. */
  relations: string[];
  /** What pictures are called, and text that is drawn. */
  texts: string[];
  /** Ids of the relations that lead to pictures. */
  pictures: string[];
}

/** Reads a drawing; of a picture its alternative text, as shapes and charts are called by what they are. */
export function readDrawing(element: XmlElement): Drawing {
  const drawing = { boxes: [], relations: [], texts: [], pictures: [], name: '', hasPicture: false };
  collect(element, drawing);
  const { boxes, relations, pictures, name, hasPicture } = drawing;
  const description = hasPicture && boxes.length === 0 ? imageDescription(name) : undefined;
  const texts = description ? [description, ...drawing.texts] : drawing.texts;
  return { boxes, relations, texts, pictures };
}

/** What is in a text box belongs to its own paragraphs. */
function collect(element: XmlElement, drawing: Drawing & { name: string; hasPicture: boolean }): void {
  for (const child of childElements(element)) {
    const { name, attributes } = child;
    if (name === 'txbxContent') {
      drawing.boxes.push(child);
      continue;
    }
    if (name === 'chart') drawing.relations.push(attributes['r:id'] ?? attributes.id ?? '');
    else if (name === 'relIds') drawing.relations.push(attributes.dm ?? '');
    else if (name === 'textpath') drawing.texts.push(attributes.string ?? '');
    else if (name === 'pic' || name === 'imagedata') drawing.hasPicture = true;
    if (name === 'blip') drawing.pictures.push(attributes.embed ?? '');
    else if (name === 'imagedata') drawing.pictures.push(attributes['r:id'] ?? attributes.id ?? '');
    if (name === 'docPr') drawing.name ||= (attributes.descr?.trim() || attributes.title?.trim()) ?? '';
    else if (name === 'imagedata') drawing.name ||= attributes.title?.trim() ?? '';
    collect(child, drawing);
  }
}
