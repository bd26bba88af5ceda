import { lastClausesStart } from './cut.js';
import type { PlacedUnit } from './piece.js';
import type { TextWindow } from './text-window.js';

/**
 * The last whole sentences of a piece that make up at most `overlap` characters; where the last one alone is
 * longer, its last clauses. Never all of the piece, so that every piece starts after the one before it; never
 * code, rows or headings.
 */
export function overlapUnits(
  units: readonly PlacedUnit[],
  overlap: number,
  window: TextWindow,
): PlacedUnit[] {
  const end = units.at(-1)?.end ?? 0;
  let from = units.length;
  while (from > 1) {
    const unit = units[from - 1];
    if (unit?.kind !== 'prose' || end - unit.start > overlap) break;
    from--;
  }
  return from < units.length ? units.slice(from) : clausesOf(units.at(-1), overlap, window);
}

function clausesOf(unit: PlacedUnit | undefined, overlap: number, window: TextWindow): PlacedUnit[] {
  if (unit?.kind !== 'prose' || unit.end - unit.start <= overlap) return [];
  const text = window.slice(unit.start, unit.end);
  const start = unit.start + lastClausesStart(text, overlap);
  return start < unit.end ? [{ ...unit, start }] : [];
}
