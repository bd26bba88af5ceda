/** A run of glyphs as pdf.js gives it; lengths in PDF points, y upwards. */
export interface Run {
  str: string;
  dir: string;
  /** The text matrix: `[a, b, c, d, x, y]`. */
  transform: number[];
  width: number;
  height: number;
  fontName: string;
}
