import type { GrayPicture } from '@lectern/file-to-markdown';
import sharp from 'sharp';

/** The background is looked at in squares of so many pixels. */
const SQUARE = 32;
/** A smaller picture is no page. */
const MIN_SQUARES = 8;
/** A background whose darkest parts have less than this share of the brightest is uneven. */
const UNEVEN = 0.8;

/** Makes the background of a photographed page white where light fell on it unevenly; others stay as they are. */
export async function evenLight(picture: GrayPicture): Promise<GrayPicture> {
  const { width, height, pixels } = picture;
  if (Math.min(width, height) < MIN_SQUARES * SQUARE) return picture;
  const small = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize({ width: Math.ceil(width / SQUARE), height: Math.ceil(height / SQUARE), fit: 'fill' })
    .median(5)
    .toColourspace('b-w')
    .png()
    .toBuffer();
  const { data } = await sharp(small).raw().toBuffer({ resolveWithObject: true });
  const sorted = data.toSorted();
  const share = (at: number) => sorted[Math.floor(at * (sorted.length - 1))] ?? 0;
  if (share(0.05) >= UNEVEN * share(0.95)) return picture;
  const background = await sharp(small)
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const even = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i++) {
    even[i] = Math.min(255, (255 * (pixels[i] ?? 0)) / Math.max(1, background[i] ?? 0));
  }
  return { width, height, pixels: even };
}
