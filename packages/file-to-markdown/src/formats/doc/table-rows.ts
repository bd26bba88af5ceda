import { markdownTable } from '../../shared/tables/markdown-table.js';

/** Collects the cells of a table as its paragraphs come. */
export class TableRows {
  #rows: string[][] = [];
  #cells: string[] = [];
  #cell: string[] = [];
  #notes: string[] = [];

  add(
    text: string,
    { endsCell, endsRow, notes }: { endsCell: boolean; endsRow: boolean; notes: string[] },
  ): void {
    this.#notes.push(...notes);
    if (endsRow) {
      this.#endRow();
      return;
    }
    if (text) this.#cell.push(text);
    if (endsCell) this.#endCell();
  }

  /** The table, or the texts of its cells where it has one column, then the notes that it mentions. */
  end(): string[] {
    this.#endRow();
    const rows = this.#rows.filter((cells) => cells.some(Boolean));
    const isTable = rows.some((cells) => cells.length > 1);
    const blocks = isTable ? [markdownTable(rows)] : rows.flat();
    const notes = this.#notes;
    this.#rows = [];
    this.#notes = [];
    return [...blocks, ...notes];
  }

  #endCell(): void {
    this.#cells.push(this.#cell.join(' '));
    this.#cell = [];
  }

  #endRow(): void {
    if (this.#cell.length > 0) this.#endCell();
    if (this.#cells.length > 0) this.#rows.push(this.#cells);
    this.#cells = [];
  }
}
