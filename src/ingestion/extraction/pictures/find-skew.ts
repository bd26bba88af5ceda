/** In degrees; more is a picture of something else. */
const MAX_DEGREES = 10;
const COARSE_STEP = 0.5;
const FINE_STEP = 0.1;
/** Of the mean, below which a pixel is ink. */
const INK = 0.8;
/** With fewer there is nothing to align. */
const MIN_INK = 500;

/**
 * By how many degrees the lines of a page fall to the right: the angle at which the ink, counted along parallel lines, changes
 * most sharply from line to line (W. Postl, "Detection of linear oblique structures and skew scan in digitized documents", 1986).
 * Lines may run across the page or down it.
 *
 * @param pixels one byte for each, about 1,000 in the longer direction: finer ones take longer and tell no more
 * @returns from -10 to 10; 0 where there is hardly any ink
 */
export function findSkew(pixels: Uint8Array, width: number, height: number): number {
  const ink = findInk(pixels, width, height);
  if (ink.length < 2 * MIN_INK) return 0;
  const size = Math.max(width, height);
  const best = (from: number, to: number, step: number) => {
    let [found, highest] = [0, -1];
    for (let degrees = from; degrees <= to + step / 2; degrees += step) {
      const score = sharpness(ink, degrees, size);
      if (score <= highest) continue;
      [found, highest] = [degrees, score];
    }
    return found;
  };
  const coarse = best(-MAX_DEGREES, MAX_DEGREES, COARSE_STEP);
  return best(coarse - COARSE_STEP, coarse + COARSE_STEP, FINE_STEP);
}

/** The coordinates of dark pixels, one after the other. */
function findInk(pixels: Uint8Array, width: number, height: number): Int16Array {
  let sum = 0;
  for (const gray of pixels) sum += gray;
  const threshold = (INK * sum) / Math.max(1, pixels.length);
  const ink = new Int16Array(2 * pixels.length);
  let length = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 0) >= threshold) continue;
      ink[length++] = x;
      ink[length++] = y;
    }
  }
  return ink.subarray(0, length);
}

/** The sum of the squared differences of neighbouring lines, in the direction that has more. */
function sharpness(ink: Int16Array, degrees: number, size: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const rows = new Int32Array(3 * size);
  const columns = new Int32Array(3 * size);
  for (let i = 0; i < ink.length; i += 2) {
    const [x, y] = [ink[i] ?? 0, ink[i + 1] ?? 0];
    const row = Math.round(y - slope * x) + size;
    const column = Math.round(x + slope * y) + size;
    rows[row] = (rows[row] ?? 0) + 1;
    columns[column] = (columns[column] ?? 0) + 1;
  }
  return Math.max(sumOfSquaredDifferences(rows), sumOfSquaredDifferences(columns));
}

function sumOfSquaredDifferences(counts: Int32Array): number {
  let sum = 0;
  for (let i = 1; i < counts.length; i++) sum += ((counts[i] ?? 0) - (counts[i - 1] ?? 0)) ** 2;
  return sum;
}
