import type { Relationship } from '../../shared/xml/office-relationships.js';
import { descendants, elementAt, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { CommentReader } from './comments.js';
import type { Deck } from './deck.js';
import { readParagraphs } from './paragraphs.js';
import { ShapeReader } from './shape-reader.js';
import { isFilledIn, isPlaceholder, type Shape, shapesOf } from './shapes.js';

export interface Slide {
  title?: string;
  /** Markdown of the other shapes. */
  blocks: string[];
  notes: string[];
  comments: string[];
  isHidden: boolean;
  hasPictures: boolean;
}

/**
 * Reads one slide with its notes; undefined where its part is damaged or missing.
 *
 * @param page its number
 * @param comments reads the comments on it, where they are wanted
 */
export async function readSlide(
  deck: Deck,
  path: string,
  page: number,
  comments?: CommentReader,
): Promise<Slide | undefined> {
  const root = await deck.xml(path);
  if (!root) return undefined;
  const isHidden = ['0', 'false'].includes(root.attributes.show ?? '');
  const [picture] = descendants(root, 'blip');
  const relations = await deck.relationships(path);
  const shapes = shapesOf(elementAt(root, 'cSld', 'spTree'));
  const titleShape = findTitle(shapes);
  const title = titleShape && titleText(titleShape);
  const [frame] = descendants(root, 'graphicFrame');
  const about = { page, hasText: frame !== undefined || textContent(root).trim() !== '' };
  const reader = new ShapeReader(deck, relations, about);
  const blocks = await reader.read(shapes.filter((shape) => shape !== titleShape && !isFilledIn(shape)));
  return {
    isHidden,
    hasPictures: picture !== undefined,
    ...(title && { title }),
    blocks,
    notes: await readNotes(deck, relations, page),
    comments: (await comments?.read(relations)) ?? [],
  };
}

/** The title of a slide, without the rest of it. */
export function slideTitle(root: XmlElement | undefined): string | undefined {
  const shape = findTitle(shapesOf(elementAt(root, 'cSld', 'spTree')));
  return shape && titleText(shape);
}

function findTitle(shapes: Shape[]): Shape | undefined {
  return shapes.find(
    (shape) => isPlaceholder(shape, 'title', 'ctrTitle') && textContent(shape.element).trim(),
  );
}

const titleText = (shape: Shape): string => readParagraphs(shape).join(' ').replace(/\s+/g, ' ').trim();

async function readNotes(deck: Deck, relations: Map<string, Relationship>, page: number): Promise<string[]> {
  const part = [...relations.values()].find(({ type }) => type === 'notesSlide');
  const root = part && (await deck.xml(part.path));
  if (!root) return [];
  const shapes = shapesOf(elementAt(root, 'cSld', 'spTree')).filter(
    (shape) => !isFilledIn(shape) && !isPlaceholder(shape, 'sldImg'),
  );
  // In notes the body is no list.
  const bodies = shapes.map((shape) => ({ ...shape, placeholder: undefined }));
  return new ShapeReader(deck, await deck.relationships(part.path), { page, hasText: true }).read(bodies);
}
