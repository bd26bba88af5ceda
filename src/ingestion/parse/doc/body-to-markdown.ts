import { markdownTable } from '../markdown-table.js';

/** Text as the extractor gives it: a paragraph on each line; a row of a table has a tab after every cell. */
export function bodyToMarkdown(text: string): string {
  const blocks: string[] = [];
  let rows: string[][] = [];
  const closeTable = () => {
    blocks.push(markdownTable(rows));
    rows = [];
  };
  for (const line of text.split('\n')) {
    if (line.endsWith('\t')) {
      rows.push(line.slice(0, -1).split('\t'));
    } else {
      closeTable();
      blocks.push(line.replace(/[\t ]+/g, ' ').trim());
    }
  }
  closeTable();
  return blocks.filter(Boolean).join('\n\n');
}
