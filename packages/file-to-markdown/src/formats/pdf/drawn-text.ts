import type { PDFPageProxy } from 'pdfjs-dist';
import { MatrixStack } from './matrix-stack.js';
import { loadPdfJs } from './open.js';
import { MIN_PATHS } from './pictures.js';

/** Of the page: pictures that cover more of it are a scan, on which something is drawn. */
const MAX_COVERED = 0.5;

/** Whether a page without text may show some as paths, as printer drivers and drawing programs write letters, and is no scan. */
export async function drawsText(page: PDFPageProxy): Promise<boolean> {
  const { OPS } = await loadPdfJs();
  const images = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintImageXObjectRepeat,
  ]);
  const { fnArray, argsArray } = await page.getOperatorList();
  const transformation = new MatrixStack(OPS);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  let paths = 0;
  let covered = 0;
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    transformation.follow(operator, args);
    if (operator === OPS.constructPath && args[0] !== OPS.endPath) paths++;
    if (!images.has(operator)) continue;
    const [a, b, c, d] = transformation.matrix;
    covered += Math.abs(a * d - b * c);
  }
  return paths >= MIN_PATHS && covered <= MAX_COVERED * (right - left) * (top - bottom);
}
