import type { PieceTable } from './piece-table.js';
import { positionsOf, type WordFile } from './word-file.js';

/** Texts of footnotes and endnotes, by the place of the character that mentions them. */
export function readNotes(file: WordFile, pieces: PieceTable): Map<number, string> {
  const notes = new Map<number, string>();
  for (const kind of ['footnote', 'endnote'] as const) {
    const references = positionsOf(file.structure(`${kind}References`), 2);
    const texts = positionsOf(file.structure(`${kind}Texts`), 0);
    const { start, end } = file.range(`${kind}s`);
    for (let index = 0; index + 1 < references.length && index + 1 < texts.length; index++) {
      const from = start + (texts[index] as number);
      const to = start + (texts[index + 1] as number);
      if (from < to && to <= end)
        notes.set(references[index] as number, pieces.text({ start: from, end: to }));
    }
  }
  return notes;
}
