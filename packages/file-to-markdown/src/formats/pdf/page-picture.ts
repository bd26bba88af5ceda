import type { PDFPageProxy } from 'pdfjs-dist';
import type { GrayPicture } from '../../types.js';
import { type Matrix, multiply } from './matrix.js';
import { MatrixStack } from './matrix-stack.js';
import { loadPdfJs } from './open.js';
import { type PdfImage, toGray } from './pdf-image.js';

/** Pixels of the picture of a page: A4 at 600 dpi. */
export const MAX_PIXELS = 36_000_000;
/** Pixels for each point, at most: 600 dpi. */
const MAX_SCALE = 600 / 72;
/** A picture that is not at least this wide, in points, does not decide the resolution. */
const MIN_EDGE = 36;
/** Pictures of a page; a scanner writes one, or some strips. */
const MAX_IMAGES = 1_000;
const WHITE = 255;

interface PlacedImage {
  image: PdfImage;
  /** From the square from 0 to 1 to the page as its reader sees it, in points from its upper left corner. */
  matrix: Matrix;
}

/**
 * The pictures of a page as one, in the resolution of the finest, as the reader sees the page: rotated as it says. Text and
 * drawings are not in it: pictures alone need no canvas.
 *
 * @returns undefined where it has none that can be decoded
 */
export async function readPagePicture(page: PDFPageProxy): Promise<GrayPicture | undefined> {
  const placed = await readImages(page);
  if (placed.length === 0) return undefined;
  const { width, height } = page.getViewport({ scale: 1 });
  const finest = Math.max(1, ...placed.map(scaleOf));
  const scale = Math.min(finest, MAX_SCALE, Math.sqrt(MAX_PIXELS / (width * height)));
  const picture = createBlank(
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  for (const { image, matrix } of placed) paint(picture, image, multiply([scale, 0, 0, scale, 0, 0], matrix));
  return picture;
}

async function readImages(page: PDFPageProxy): Promise<PlacedImage[]> {
  const { OPS } = await loadPdfJs();
  const { fnArray, argsArray } = await page.getOperatorList();
  const base = page.getViewport({ scale: 1 }).transform as unknown as Matrix;
  const transformation = new MatrixStack(OPS);
  const placed: PlacedImage[] = [];
  const add = async (given: unknown, isMask: boolean, matrix: Matrix) => {
    const image = placed.length < MAX_IMAGES ? toGray(await resolve(page, given), isMask) : undefined;
    if (image) placed.push({ image, matrix: multiply(base, matrix) });
  };
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    transformation.follow(operator, args);
    const { matrix } = transformation;
    if (operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject)
      await add(args[0], false, matrix);
    else if (operator === OPS.paintImageMaskXObject) await add(args[0], true, matrix);
    else if (operator === OPS.paintImageMaskXObjectGroup)
      for (const mask of args[0]) await add(mask, true, multiply(matrix, mask.transform));
    else if (operator === OPS.paintImageXObjectRepeat) {
      const [id, scaleX, scaleY, positions] = args;
      for (let i = 0; i + 1 < positions.length; i += 2)
        await add(id, false, multiply(matrix, [scaleX, 0, 0, scaleY, positions[i], positions[i + 1]]));
    }
  }
  return placed;
}

/** Images that are used more than once, or are large, are named, as may be the data of a mask; some are decoded later. */
async function resolve(page: PDFPageProxy, given: unknown): Promise<unknown> {
  const data = (given as { data?: unknown } | null)?.data;
  const id = typeof data === 'string' ? data : given;
  if (typeof id !== 'string') return given;
  const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((settle) => objects.get(id, settle));
}

/** Pixels for each point, in the finer direction: a fax has twice as many across as down. */
function scaleOf({ image: { width, height }, matrix: [a, b, c, d] }: PlacedImage): number {
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
  return across < MIN_EDGE || down < MIN_EDGE ? 0 : Math.max(width / across, height / down);
}

const createBlank = (width: number, height: number): GrayPicture => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(WHITE),
});

/** For each pixel within the image's bounds, the nearest of the image. */
function paint({ width, height, pixels }: GrayPicture, image: PdfImage, [a, b, c, d, e, f]: Matrix): void {
  const determinant = a * d - b * c;
  if (Math.abs(determinant) < 1e-9) return;
  const bounds = (...corners: [number, number, number, number]) => [
    Math.min(...corners),
    Math.max(...corners),
  ];
  const [left = 0, right = 0] = bounds(e, e + a, e + c, e + a + c);
  const [top = 0, bottom = 0] = bounds(f, f + b, f + d, f + b + d);
  const [firstX, lastX] = [Math.max(0, Math.floor(left)), Math.min(width, Math.ceil(right))];
  const [firstY, lastY] = [Math.max(0, Math.floor(top)), Math.min(height, Math.ceil(bottom))];
  for (let y = firstY; y < lastY; y++) {
    for (let x = firstX; x < lastX; x++) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const u = (d * dx - c * dy) / determinant;
      // The first row of an image is at its top, where the square has 1.
      const v = 1 - (a * dy - b * dx) / determinant;
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
      const gray = image.grayAt(Math.floor(u * image.width), Math.floor(v * image.height));
      if (gray !== undefined) pixels[y * width + x] = gray;
    }
  }
}
