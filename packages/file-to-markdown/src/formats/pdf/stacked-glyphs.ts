import { isUnspaced } from '../../shared/text/normalize-text.js';
import type { Run } from './run.js';

/** Most of a page's glyphs stand below the one before, or the page is not written in columns. */
const MIN_SHARE = 0.5;
const MIN_GLYPHS = 8;
/** Of the font size: how far from the middle of a column its glyphs may stand, and how far below each other. */
const ALIGNED = 0.35;
const LEAST_PITCH = 0.5;
const MOST_PITCH = 2;
/** Digits that stand side by side within a column are little wider than one glyph. */
const MAX_WIDTH = 1.6;
/** The part of a glyph above its baseline. */
const ASCENT = 0.88;

interface Cell {
  run: Run;
  /** The middle of its top edge, where a font of vertical writing begins its glyphs. */
  origin: [x: number, y: number];
  /** Middle and baseline as its reader sees them. */
  middle: number;
  baseline: number;
  size: number;
}

/**
 * Chinese and Japanese set in columns by a program that places every glyph, with a font that says nothing of
 * vertical writing: the glyphs that stand one below the other, with the points at which a vertical font would
 * begin them. Empty for other pages.
 */
export function findStackedGlyphs(runs: readonly Run[]): Map<Run, [x: number, y: number]> {
  const cells = runs.filter(({ str }) => str.trim()).map(toCell);
  let stacked = 0;
  let total = 0;
  for (const [index, cell] of cells.entries()) {
    const length = cell.run.str.trim().length;
    const above = cells[index - 1];
    total += length;
    if (above && length === 1 && isUnspaced(cell.run.str.trim()) && isBelow(above, cell)) stacked++;
  }
  if (stacked < MIN_GLYPHS || stacked < MIN_SHARE * total) return new Map();
  return new Map(
    cells
      .filter(({ run, size }) => run.width <= MAX_WIDTH * size)
      .filter((cell, index, all) => isInColumn(cell, all[index - 1], all[index + 1]))
      .map(({ run, origin }) => [run, origin]),
  );
}

function toCell(run: Run): Cell {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = run.transform;
  const size = Math.hypot(c, d) || 1;
  const [cos, sin] = [d / size, -c / size];
  const across = run.width / 2;
  const direction = Math.hypot(a, b) || 1;
  return {
    run,
    origin: [
      x + (across * a) / direction + (ASCENT * size * c) / size,
      y + (across * b) / direction + (ASCENT * size * d) / size,
    ],
    middle: x * cos + y * sin + across,
    baseline: y * cos - x * sin,
    size,
  };
}

function isBelow(above: Cell, cell: Cell): boolean {
  const size = Math.max(above.size, cell.size);
  const pitch = above.baseline - cell.baseline;
  return (
    Math.abs(above.middle - cell.middle) <= ALIGNED * size &&
    pitch >= LEAST_PITCH * size &&
    pitch <= MOST_PITCH * size
  );
}

/** A glyph that is alone in its column counts, digits beside the text, such as page numbers, do not. */
function isInColumn(cell: Cell, above: Cell | undefined, below: Cell | undefined): boolean {
  if (isUnspaced(cell.run.str.trim().charAt(0))) return true;
  return (above !== undefined && isBelow(above, cell)) || (below !== undefined && isBelow(cell, below));
}
