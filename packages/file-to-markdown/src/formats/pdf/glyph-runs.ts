import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import { apply, IDENTITY, type Matrix, multiply } from './matrix.js';
import { loadPdfJs } from './open.js';
import type { Run } from './run.js';

/** A glyph as pdf.js lists it; other members are left out. */
export interface Glyph {
  originalCharCode: number;
  unicode: string;
  /** In thousandths of the font size. */
  width: number;
  isSpace: boolean;
}

interface TextState {
  matrix: Matrix;
  text: Matrix;
  /** Where the next glyph stands, and where the line began, in the text's own coordinates. */
  x: number;
  y: number;
  lineX: number;
  lineY: number;
  font: string;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

/** Spaces between words, and those that part two runs, in font sizes. */
const WORD_GAP = 0.1;
const RUN_GAP = 0.6;
const KERNING = 0.2;
const SOFT_HYPHEN = '\u00ad';
const START: TextState = {
  matrix: IDENTITY,
  text: IDENTITY,
  x: 0,
  y: 0,
  lineX: 0,
  lineY: 0,
  font: '',
  size: 1,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};

/**
 * The text of a page, glyph by glyph. pdf.js's own text lacks soft hyphens, which readers see as hyphens where a
 * glyph is drawn, and does not say by which codes its characters were written.
 *
 * @param characterOf what a glyph of a font means, '' for nothing
 */
export async function readGlyphRuns(
  { fnArray, argsArray }: PDFOperatorList,
  characterOf: (font: string, glyph: Glyph) => string,
  unitOf: (font: string) => number,
): Promise<Run[]> {
  const { OPS } = await loadPdfJs();
  const runs: Run[] = [];
  const saved: TextState[] = [];
  let state = { ...START };
  let annotations = 0;
  const move = (x: number, y: number) => {
    state.lineX += x;
    state.lineY += y;
    Object.assign(state, { x: state.lineX, y: state.lineY });
  };
  const restore = () => {
    state = saved.pop() ?? state;
  };
  const handlers = new Map<number, (args: never[]) => void>();
  const on = (operator: number, handle: (...args: never[]) => void) =>
    handlers.set(operator, (args) => handle(...args));
  on(OPS.save, () => saved.push({ ...state }));
  on(OPS.restore, restore);
  on(OPS.transform, (...matrix: number[]) =>
    Object.assign(state, { matrix: multiply(state.matrix, toMatrix(matrix)) }),
  );
  on(OPS.paintFormXObjectBegin, (matrix: number[] | null) => {
    saved.push({ ...state });
    if (matrix) state.matrix = multiply(state.matrix, toMatrix(matrix));
  });
  on(OPS.paintFormXObjectEnd, restore);
  on(OPS.beginAnnotation, () => annotations++);
  on(OPS.endAnnotation, () => annotations--);
  on(OPS.beginText, () => Object.assign(state, { text: IDENTITY, x: 0, y: 0, lineX: 0, lineY: 0 }));
  on(OPS.setTextMatrix, (matrix: ArrayLike<number>) =>
    Object.assign(state, { text: toMatrix(matrix), x: 0, y: 0, lineX: 0, lineY: 0 }),
  );
  on(OPS.moveText, move);
  on(OPS.setLeadingMoveText, (x: number, y: number) => {
    state.leading = -y;
    move(x, y);
  });
  on(OPS.nextLine, () => move(0, -state.leading));
  on(OPS.setLeading, (leading: number) => Object.assign(state, { leading }));
  on(OPS.setFont, (font: string, size: number) => Object.assign(state, { font, size }));
  on(OPS.setCharSpacing, (charSpacing: number) => Object.assign(state, { charSpacing }));
  on(OPS.setWordSpacing, (wordSpacing: number) => Object.assign(state, { wordSpacing }));
  on(OPS.setHScale, (percent: number) => Object.assign(state, { scale: percent / 100 }));
  on(OPS.setTextRise, (rise: number) => Object.assign(state, { rise }));
  on(OPS.showText, (glyphs: readonly (Glyph | number | null)[]) => {
    // The values of form fields are read elsewhere.
    if (annotations > 0) return;
    const shown = showText(state, glyphs, characterOf, unitOf(state.font));
    const [last, next] = [runs.at(-1), shown[0]];
    if (last && next && isWordGap(last, next)) runs.push({ ...next, str: ' ', width: 0 });
    runs.push(...shown);
  });
  for (const [index, operator] of fnArray.entries()) handlers.get(operator)?.(argsArray[index] ?? []);
  return runs;
}

function isWordGap({ transform: [a = 0, b = 0, , , x = 0, y = 0], width }: Run, next: Run): boolean {
  const [dx, dy] = [(next.transform[4] ?? 0) - x, (next.transform[5] ?? 0) - y];
  const size = Math.hypot(a, b) || 1;
  const gap = ((dx * a + dy * b) / size - width) / size;
  return gap > WORD_GAP && gap < RUN_GAP;
}

/** The runs of one string, and the state after it. */
function showText(
  state: TextState,
  glyphs: readonly (Glyph | number | null)[],
  characterOf: (font: string, glyph: Glyph) => string,
  unit: number,
): Run[] {
  const { font, size, scale } = state;
  const runs: Run[] = [];
  let open: PlacedRun | undefined;
  /** Where the last glyph ended that is not blank. */
  let end = state.x;
  for (const glyph of glyphs) {
    if (glyph === null) continue;
    if (typeof glyph === 'number') {
      state.x -= (glyph / 1000) * size * scale;
      continue;
    }
    const text = characterOf(font, glyph);
    const character = text === SOFT_HYPHEN ? (glyph.width > 0 ? '-' : '') : text;
    const advance = glyph.width * unit * size * scale;
    const gap = (state.x - end) / (Math.abs(size) || 1);
    if (character.trim()) {
      if (open && gap > WORD_GAP && gap < RUN_GAP && !open.str.endsWith(' ')) open.str += ' ';
      if (!open || gap >= RUN_GAP || gap < -KERNING) {
        open = startRun(state);
        runs.push(open);
      }
      open.str += character;
      open.width = Math.abs(state.x + advance - open.start) * lengthOfUnit(state);
    } else if (character && open) open.str += open.str.endsWith(' ') ? '' : ' ';
    else if (character) runs.push({ ...startRun(state), str: ' ' });
    if (character.trim()) end = state.x + advance;
    state.x += advance + (state.charSpacing + (glyph.isSpace ? state.wordSpacing : 0)) * scale;
  }
  return runs;
}

interface PlacedRun extends Run {
  start: number;
}

function startRun(state: TextState): PlacedRun {
  const [x, y] = apply(state.text, state.x, state.y + state.rise);
  const [a, b, c, d] = state.text;
  const { size, scale } = state;
  const transform = multiply(state.matrix, [a * size * scale, b * size * scale, c * size, d * size, x, y]);
  const height = Math.hypot(transform[2], transform[3]);
  return {
    str: '',
    dir: 'ltr',
    transform: [...transform],
    width: 0,
    height,
    fontName: state.font,
    start: state.x,
  };
}

/** How long a unit along the line is on the page. */
function lengthOfUnit({ matrix, text }: TextState): number {
  const [a, b] = multiply(matrix, text);
  return Math.hypot(a, b);
}

function toMatrix(values: ArrayLike<number>): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(values);
  return [a, b, c, d, e, f];
}
