/** With more cells or text in inner tables than these shares, the outer table only lays out a page. */
const MAX_CELLS = 0.25;
const MAX_TEXT = 0.5;

export interface OuterCell {
  text: string;
  holdsTable: boolean;
}

/** Whether a table is one of data although some of its cells hold tables; for documents, not for web pages. */
export function isDataAroundTables(cells: readonly OuterCell[]): boolean {
  const filled = cells.filter(({ text }) => text.trim());
  const holding = filled.filter(({ holdsTable }) => holdsTable);
  return holding.length <= MAX_CELLS * filled.length && lengthOf(holding) <= MAX_TEXT * lengthOf(filled);
}

function lengthOf(cells: readonly OuterCell[]): number {
  return cells.reduce((sum, { text }) => sum + text.replace(/\s+/g, '').length, 0);
}
