/** Rows may be shorter than the header (GitHub Flavored Markdown, 4.10); filled up, a few wide ones would fill the memory. */
const MAX_FILLED = 1_000_000;

/**
 * Rows of cells as a Markdown table, the first row as its header; short rows are filled up, unless that takes far more
 * cells than any table has. Returns `''` for no rows.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows;
  if (!head) return '';
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const rowWidth = width * rows.length <= MAX_FILLED ? width : undefined;
  return [...tableHead(head, width), ...body.map((row) => tableRow(row, rowWidth))].join('\n');
}

/** Header row and delimiter row. */
export function tableHead(cells: readonly string[], width = cells.length): [string, string] {
  return [tableRow(cells, width), `|${' --- |'.repeat(width)}`];
}

/** One row on one line. */
export function tableRow(cells: readonly string[], width = cells.length): string {
  const filled = Array.from({ length: Math.max(width, cells.length) }, (_, index) => cells[index] ?? '');
  return `| ${filled.map(cellText).join(' | ')} |`;
}

function cellText(cell: string): string {
  return cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}
