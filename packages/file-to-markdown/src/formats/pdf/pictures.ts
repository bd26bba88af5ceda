import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import { MatrixStack } from './matrix-stack.js';
import { loadPdfJs } from './open.js';

/** Length of a picture's edges, in points. */
const MIN_EDGE = 72;
/** With fewer paths a page is decorated, with more it is drawn. */
export const MIN_PATHS = 50;

/**
 * Whether a page shows a picture or a drawing. Pictures are left out when the page is read; what remains is the
 * transformation that gives one its size: a picture is drawn as the square from 0 to 1.
 */
export async function showsPicture({ fnArray, argsArray }: PDFOperatorList): Promise<boolean> {
  const { OPS } = await loadPdfJs();
  const transformation = new MatrixStack(OPS);
  let paths = 0;
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    transformation.follow(operator, args);
    if (operator === OPS.constructPath && args[0] !== OPS.endPath && ++paths >= MIN_PATHS) return true;
    const [a, b, c, d] = transformation.matrix;
    if (Math.hypot(a, b) >= MIN_EDGE && Math.hypot(c, d) >= MIN_EDGE) return true;
  }
  return false;
}
