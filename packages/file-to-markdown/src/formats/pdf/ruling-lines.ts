import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import { apply, IDENTITY, type Matrix, multiply } from './matrix.js';
import { loadPdfJs } from './open.js';

/** A straight line across or down the page, in the page's own coordinates. */
export type RulingLine = [x1: number, y1: number, x2: number, y2: number];

/** Thicker bars are areas rather than lines. */
const MAX_THICKNESS = 3;
const MIN_LENGTH = 4;
/** Pages with more are drawings or maps; and finding out which lines meet takes time by their square. */
const MAX_RULES = 1500;

/** The straight lines a page draws, none if there are too many: strokes, thin bars, and the edges of frames. */
export async function readRulingLines({ fnArray, argsArray }: PDFOperatorList): Promise<RulingLine[]> {
  const { OPS } = await loadPdfJs();
  const strokes = new Set([
    OPS.stroke,
    OPS.closeStroke,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
  ]);
  const fills = new Set([OPS.fill, OPS.eoFill]);
  const rules: RulingLine[] = [];
  const saved: Matrix[] = [];
  let matrix = IDENTITY;
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    if (operator === OPS.save) saved.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd)
      matrix = saved.pop() ?? IDENTITY;
    else if (operator === OPS.transform) matrix = multiply(matrix, args);
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix);
      if (args[0]) matrix = multiply(matrix, args[0]);
    } else if (operator === OPS.constructPath && args[1]?.[0]) {
      if (strokes.has(args[0])) rules.push(...strokedRules(args[1][0], matrix));
      else if (fills.has(args[0])) rules.push(...filledRules(args[1][0], matrix));
      if (rules.length > MAX_RULES) return [];
    }
  }
  return rules;
}

function* strokedRules(path: Float32Array, matrix: Matrix): Generator<RulingLine> {
  for (const points of subpaths(path, matrix)) {
    for (const [index, [x2, y2]] of points.entries()) {
      const [x1, y1] = points[index - 1] ?? [x2, y2];
      const across = Math.abs(x2 - x1);
      const down = Math.abs(y2 - y1);
      if (Math.min(across, down) <= 1 && Math.max(across, down) >= MIN_LENGTH) yield [x1, y1, x2, y2];
    }
  }
}

function* filledRules(path: Float32Array, matrix: Matrix): Generator<RulingLine> {
  for (const points of subpaths(path, matrix)) {
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const isThin = Math.min(right - left, top - bottom) <= MAX_THICKNESS;
    if (!isThin || Math.max(right - left, top - bottom) < MIN_LENGTH) continue;
    if (right - left > top - bottom) yield [left, (bottom + top) / 2, right, (bottom + top) / 2];
    else yield [(left + right) / 2, bottom, (left + right) / 2, top];
  }
}

/** Paths of straight lines only; pdf.js writes each as codes followed by their coordinates. */
function* subpaths(path: Float32Array, matrix: Matrix): Generator<[number, number][]> {
  let points: [number, number][] = [];
  let isStraight = true;
  for (let at = 0; at < path.length; ) {
    const code = path[at++];
    if (code === 0) {
      if (isStraight && points.length > 1) yield points;
      points = [];
      isStraight = true;
    }
    if (code === 0 || code === 1) points.push(apply(matrix, path[at++] ?? 0, path[at++] ?? 0));
    else if (code === 4) points.push(points[0] ?? [0, 0]);
    else {
      isStraight = false;
      at += code === 2 ? 6 : 4;
    }
  }
  if (isStraight && points.length > 1) yield points;
}
