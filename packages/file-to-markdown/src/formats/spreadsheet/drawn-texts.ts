import { chartToMarkdown } from '../../shared/drawings/chart.js';
import type { TableLimits } from '../../shared/drawings/chart-table.js';
import { extendedChartToMarkdown } from '../../shared/drawings/extended-chart.js';
import { paragraphText } from '../../shared/drawings/paragraph-text.js';
import { readRelationships } from '../../shared/xml/office-relationships.js';
import { childElements, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';
import type { TextBudget } from '../../text-budget.js';

type Reader = (root: XmlElement, limits: TableLimits) => string[];

/** What a drawing shows that has texts, by the type of its relation, and how that is read. */
const READERS: Record<string, Reader> = {
  chart: chartToMarkdown,
  chartEx: extendedChartToMarkdown,
  diagramData: textsOf,
};
/** The figures of a chart with more points stand in cells, and are no easier to read beside its title. */
const MAX_POINTS = 60;

/** What is drawn over a sheet. */
export interface Drawn {
  texts: string[];
  hasPictures: boolean;
}

/**
 * The texts in shapes and diagrams, and charts as their titles and figures, that are drawn over each sheet, in the order of the sheets.
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
    const over = path === undefined ? NOTHING : (known.get(path) ?? (await readOver(path, parts, budget)));
    if (path !== undefined) known.set(path, over);
    characters += over.texts.reduce((sum, text) => sum + text.length, 0);
    budget.assertAvailable(characters);
    drawn.push(over);
  }
  return drawn;
}

const NOTHING: Drawn = { texts: [], hasPictures: false };

async function readOver(sheet: string, parts: ZipParts, textBudget: TextBudget): Promise<Drawn> {
  const relations = await readRelationships(parts, sheet);
  const drawings = relations.filter(({ type }) => type === 'drawing').map(({ path }) => path);
  const over: Drawn = { texts: [], hasPictures: false };
  for (const drawing of new Set(drawings)) {
    const shown = await readRelationships(parts, drawing);
    over.hasPictures ||= shown.some(({ type }) => type === 'image');
    const readers = new Map([[drawing, textsOf], ...shown.flatMap(({ type, path }) => readerOf(type, path))]);
    for (const [path, read] of readers) {
      const root = await parts.xml(path);
      for (const text of root ? read(root, { textBudget, maxRows: MAX_POINTS }) : []) over.texts.push(text);
    }
  }
  return over;
}

function readerOf(type: string, path: string): [string, Reader][] {
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return read ? [[path, read]] : [];
}

function textsOf(root: XmlElement): string[] {
  return [...paragraphsOf(root)].map(paragraphText).filter(Boolean);
}

function* paragraphsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === 'p') yield child;
    // This says again, for older programs, what stands before it.
    else if (child.name !== 'Fallback') yield* paragraphsOf(child);
  }
}
