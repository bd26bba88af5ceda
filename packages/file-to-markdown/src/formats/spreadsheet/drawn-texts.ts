import { paragraphText } from '../../shared/drawings/paragraph-text.js';
import { readRelationships } from '../../shared/xml/office-relationships.js';
import { childElements, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';
import type { TextBudget } from '../../text-budget.js';

/** What a drawing shows that has texts. The figures of a chart stand in cells, too. */
const WITH_TEXTS = new Set(['chart', 'diagramData']);

/** What is drawn over a sheet. */
export interface Drawn {
  texts: string[];
  hasPictures: boolean;
}

/**
 * The texts in shapes, diagrams and titles of charts that are drawn over each sheet, in the order of the sheets.
 *
 * @param sheets their parts
 * @throws IngestionError `too_much_text`: one drawing may be over thousands of sheets
 */
export async function readDrawnTexts(
  parts: ZipParts,
  sheets: readonly (string | undefined)[],
  budget: TextBudget,
): Promise<Drawn[]> {
  const known = new Map<string, Drawn>();
  const drawn: Drawn[] = [];
  let characters = 0;
  for (const path of sheets) {
    const over = path === undefined ? NOTHING : (known.get(path) ?? (await readOver(path, parts)));
    if (path !== undefined) known.set(path, over);
    characters += over.texts.reduce((sum, text) => sum + text.length, 0);
    budget.assertAvailable(characters);
    drawn.push(over);
  }
  return drawn;
}

const NOTHING: Drawn = { texts: [], hasPictures: false };

async function readOver(sheet: string, parts: ZipParts): Promise<Drawn> {
  const relations = await readRelationships(parts, sheet);
  const drawings = relations.filter(({ type }) => type === 'drawing').map(({ path }) => path);
  const over: Drawn = { texts: [], hasPictures: false };
  for (const drawing of new Set(drawings)) {
    const shown = await readRelationships(parts, drawing);
    over.hasPictures ||= shown.some(({ type }) => type === 'image');
    const withTexts = shown.filter(({ type }) => WITH_TEXTS.has(type)).map(({ path }) => path);
    for (const path of new Set([drawing, ...withTexts])) {
      const root = await parts.xml(path);
      for (const paragraph of root ? paragraphsOf(root) : []) {
        const text = paragraphText(paragraph);
        if (text) over.texts.push(text);
      }
    }
  }
  return over;
}

function* paragraphsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === 'p') yield child;
    // This says again, for older programs, what stands before it.
    else if (child.name !== 'Fallback') yield* paragraphsOf(child);
  }
}
