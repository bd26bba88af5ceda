import { type Relationship, readRelationships } from '../office-relationships.js';
import { elementAt, textContent, type XmlElement } from '../xml-tree.js';
import type { ZipParts } from '../zip-parts.js';
import { chartToMarkdown, diagramToMarkdown } from './drawings.js';
import { readParagraphs } from './paragraphs.js';
import { isPlaceholder, type Shape, shapesOf } from './shapes.js';
import { tableToMarkdown } from './table.js';

export interface Slide {
  title?: string;
  /** Markdown of the other shapes. */
  blocks: string[];
  notes: string[];
  isHidden: boolean;
}

/** Reads one slide with its notes; undefined where its part is missing. */
export async function readSlide(parts: ZipParts, path: string): Promise<Slide | undefined> {
  const root = await parts.xml(path);
  if (!root) return undefined;
  const relations = await readRelationships(parts, path);
  const shapes = shapesOf(elementAt(root, 'cSld', 'spTree'));
  const titleShape = shapes.find(
    (shape) => isPlaceholder(shape, 'title', 'ctrTitle') && textContent(shape.element).trim(),
  );
  const title = titleShape && readParagraphs(titleShape).join(' ').replace(/\s+/g, ' ').trim();
  const blocks: string[] = [];
  for (const shape of shapes) {
    if (shape !== titleShape) blocks.push(...(await readShape(parts, relations, shape)));
  }
  const isHidden = ['0', 'false'].includes(root.attributes.show ?? '');
  return { ...(title && { title }), blocks, notes: await readNotes(parts, relations), isHidden };
}

async function readShape(parts: ZipParts, relations: Relationship[], shape: Shape): Promise<string[]> {
  // The same on every slide.
  if (isPlaceholder(shape, 'ftr', 'hdr', 'sldNum')) return [];
  if (shape.element.name === 'sp') return readParagraphs(shape);
  const data = elementAt(shape.element, 'graphic', 'graphicData');
  const table = elementAt(data, 'tbl');
  if (table) return [tableToMarkdown(table)].filter(Boolean);
  return readDrawing(parts, relations, data);
}

/** SmartArt and charts: the slide refers to a part with their texts. */
async function readDrawing(
  parts: ZipParts,
  relations: Relationship[],
  data: XmlElement | undefined,
): Promise<string[]> {
  const partOf = async (id: string | undefined) => {
    const part = id && relations.find((relation) => relation.id === id);
    return part ? parts.xml(part.path) : undefined;
  };
  const diagram = await partOf(elementAt(data, 'relIds')?.attributes.dm);
  if (diagram) return diagramToMarkdown(diagram);
  const chart = await partOf(elementAt(data, 'chart')?.attributes['r:id']);
  return chart ? chartToMarkdown(chart) : [];
}

async function readNotes(parts: ZipParts, relations: Relationship[]): Promise<string[]> {
  const part = relations.find(({ type }) => type === 'notesSlide');
  const root = part && (await parts.xml(part.path));
  const shapes = root ? shapesOf(elementAt(root, 'cSld', 'spTree')) : [];
  const bodies = shapes.filter((shape) => isPlaceholder(shape, 'body'));
  // In notes the body is no list.
  return bodies.flatMap((body) => readParagraphs({ ...body, placeholder: undefined }));
}
