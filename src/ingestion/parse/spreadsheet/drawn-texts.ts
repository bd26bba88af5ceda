import { readRelationships } from '../office-relationships.js';
import { paragraphText } from '../pptx/paragraphs.js';
import { childElements, elementAt, type XmlElement } from '../xml-tree.js';
import type { ZipParts } from '../zip-parts.js';

/** What a drawing shows that has texts. The figures of a chart stand in cells, too. */
const WITH_TEXTS = new Set(['chart', 'diagramData']);

/** The texts in shapes, diagrams and titles of charts that are drawn over each sheet, in the order of the sheets. */
export async function readDrawnTexts(parts: ZipParts): Promise<string[][]> {
  const workbook = (await readRelationships(parts, '')).find(({ type }) => type === 'officeDocument');
  if (!workbook) return [];
  const sheets = elementAt(await parts.xml(workbook.path), 'sheets');
  const relations = await readRelationships(parts, workbook.path);
  const texts: string[][] = [];
  for (const { attributes } of sheets ? childElements(sheets, 'sheet') : []) {
    const sheet = relations.find(({ id }) => id === attributes['r:id']);
    texts.push(sheet ? await textsOver(sheet.path, parts) : []);
  }
  return texts;
}

async function textsOver(sheet: string, parts: ZipParts): Promise<string[]> {
  const texts: string[] = [];
  for (const drawing of await readRelationships(parts, sheet)) {
    if (drawing.type !== 'drawing') continue;
    const shown = (await readRelationships(parts, drawing.path)).filter(({ type }) => WITH_TEXTS.has(type));
    for (const { path } of [drawing, ...shown]) {
      const root = await parts.xml(path);
      if (root) texts.push(...[...paragraphsOf(root)].map(paragraphText).filter(Boolean));
    }
  }
  return texts;
}

function* paragraphsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === 'p') yield child;
    // This says again, for older programs, what stands before it.
    else if (child.name !== 'Fallback') yield* paragraphsOf(child);
  }
}
