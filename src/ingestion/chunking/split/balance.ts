import { overlapUnits } from './overlap.js';
import { type PieceDraft, type PieceLimits, type PlacedUnit, spanLength } from './piece.js';
import type { TextWindow } from './text-window.js';

/** A remainder below this share of `size` is merged or balanced. */
const MIN_SHARE = 0.25;

/**
 * The last two pieces of a section. Where the last one is tiny, the two become one if that fits, and otherwise
 * share their sentences, lines or rows about evenly.
 */
export function balanceLastPieces(
  full: PieceDraft,
  rest: PieceDraft,
  { size, overlap }: PieceLimits,
  window: TextWindow,
): PieceDraft[] {
  const own = rest.units.slice(rest.repeated);
  if (own.length === 0 || spanLength(own) >= size * MIN_SHARE) return [full, rest];
  const all = [...full.units, ...own];
  if (spanLength(all) <= size) return [{ units: all, repeated: full.repeated }];

  const cut = evenCut(all, full, own[0]?.kind);
  if (cut === full.units.length) return [full, rest];
  const kept = all.slice(0, cut);
  const moved = all.slice(cut);
  const tail = overlap > 0 ? overlapUnits(kept, overlap, window) : [];
  while (tail.length > 0 && spanLength([...tail, ...moved]) > size) tail.shift();
  return [
    { units: kept, repeated: full.repeated },
    { units: [...tail, ...moved], repeated: tail.length },
  ];
}

/** Moves units of the rest's kind while the rest stays the smaller half. */
function evenCut(all: readonly PlacedUnit[], full: PieceDraft, kind: PlacedUnit['kind'] | undefined): number {
  const half = spanLength(all) / 2;
  const end = all.at(-1)?.end ?? 0;
  let cut = full.units.length;
  for (;;) {
    const unit = all[cut - 1];
    const before = all[cut - 2];
    if (!unit || unit.kind !== kind || unit.keepWithNext || end - unit.start > half) return cut;
    if (cut - 1 <= full.repeated || !before || before.keepWithNext) return cut;
    cut--;
  }
}
