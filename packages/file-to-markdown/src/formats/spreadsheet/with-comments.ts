import type { NumberedRow } from '../../shared/tables/row-groups.js';
import { paragraphOf, type RowParagraph } from '../../shared/tables/row-paragraph.js';
import { commentNote } from '../../shared/text/comment-note.js';
import type { CellComment } from './comments.js';
import type { SheetRow } from './sheet-rows.js';

/** Of what a cell shows, in a note about it. */
const MAX_SHOWN = 60;

/** A table, and the notes that stand behind it. */
export interface CommentedTable {
  rows: NumberedRow[];
  notes: RowParagraph[];
}

/** Puts the comments on a sheet behind the table that has their cell, or else behind the one above it. */
export function withComments(
  tables: readonly NumberedRow[][],
  comments: readonly CellComment[],
  rows: readonly SheetRow[],
): CommentedTable[] {
  const shown = new Map(comments.length > 0 ? rows.map(({ number, texts }) => [number, texts]) : []);
  const notes = comments.map((comment) => ({
    row: comment.row,
    note: noteOf(comment, shown.get(comment.row)),
  }));
  let at = 0;
  const commented = tables.map((table, index) => {
    const next = tables[index + 1]?.[0]?.number ?? Infinity;
    const behind: RowParagraph[] = [];
    for (; at < notes.length && (notes[at]?.row ?? 0) + 1 < next; at++)
      behind.push(...(notes[at]?.note ?? []));
    return { rows: table, notes: behind };
  });
  return commented.length > 0 || notes.length === 0
    ? commented
    : [{ rows: [], notes: notes.flatMap(({ note }) => note) }];
}

function noteOf(
  { author, text, cell, row, column }: CellComment,
  texts: Map<number, string> | undefined,
): RowParagraph[] {
  const value = (texts?.get(column) ?? '').replace(/\s+/g, ' ');
  const cut = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN - 1).toWellFormed()}…` : value;
  const note = commentNote({ author, about: cut ? `${cell} (${cut})` : cell, text });
  return note ? [paragraphOf(note, row + 1)] : [];
}
