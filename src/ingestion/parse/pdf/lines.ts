/** A run of glyphs as pdf.js gives it; lengths in PDF points, y upwards. */
export interface Glyphs {
  str: string;
  /** The text matrix: `[a, b, c, d, x, y]`. */
  transform: number[];
  width: number;
  hasEOL: boolean;
}

/** A line of text at its place on the page; lengths in PDF points, y upwards. */
export interface Line {
  text: string;
  left: number;
  right: number;
  baseline: number;
  /** Font size. */
  size: number;
}

/** A raised or lowered mark stays in its line; the next line is farther away than this share of the size. */
const SAME_LINE = 0.6;

/**
 * Puts runs together to lines, in the order of the content stream. That is the order in which programs write
 * what they lay out, columns one after the other; sorting by position would mix columns.
 */
export function toLines(runs: Iterable<Glyphs>): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const run of runs) {
    const [a = 0, b = 0, , , x = 0, y = 0] = run.transform;
    const size = Math.hypot(a, b);
    if (run.str.trim() && (!line || isElsewhere(line, y, size))) {
      line = { text: '', left: x, right: x, baseline: y, size };
      lines.push(line);
    }
    if (!line) continue;
    if (run.str) {
      line.text += run.str;
      line.right = Math.max(line.right, x + run.width);
      line.size = Math.max(line.size, run.str.trim() ? size : 0);
    }
    if (run.hasEOL) line = undefined;
  }
  return lines.filter(({ text }) => text.trim());
}

function isElsewhere(line: Line, y: number, size: number): boolean {
  return Math.abs(y - line.baseline) > SAME_LINE * Math.max(line.size, size);
}
