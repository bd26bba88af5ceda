import type { EncodedPicture, GrayPicture } from '@lectern/file-to-markdown';
import sharp from 'sharp';
import { evenLight } from './even-light.js';
import { findSkew } from './find-skew.js';

/** Pixels of a picture that is decoded: a bomb has more. */
const MAX_PIXELS = 100_000_000;
/** Of the longer edge: A4 at 430 dpi. More takes longer, and reads no better. */
const MAX_EDGE = 5_000;
/** At which the skew is looked for. */
const SKEW_EDGE = 1_000;
/** A page that is less askew reads as well as a straight one. */
const MIN_SKEW = 0.15;
/** Makes the edges of glyphs smooth, which text recognition reads better than those of a screen. */
const SMOOTHING = 0.6;

/** How many pages a picture has: a TIFF may have several. What cannot be decoded has one, which an engine may know. */
export async function countPages({ bytes }: EncodedPicture): Promise<number> {
  const metadata = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  return metadata.format === 'tiff' ? (metadata.pages ?? 1) : 1;
}

/** A page of an encoded picture, turned as its camera says. */
export async function decodePicture({ bytes }: EncodedPicture, page: number): Promise<GrayPicture> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, page, failOn: 'none' })
    .autoOrient()
    .flatten({ background: 'white' })
    .greyscale()
    .toColourspace('b-w')
    .resize({ width: MAX_EDGE, height: MAX_EDGE, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** A page as an engine reads it best, in shades of gray: evenly lit, and straight. */
export async function preparePicture(picture: GrayPicture): Promise<Buffer> {
  const even = await evenLight(picture);
  const skew = await skewOf(even);
  const image = fromRaw(even).resize({
    width: MAX_EDGE,
    height: MAX_EDGE,
    fit: 'inside',
    withoutEnlargement: true,
  });
  if (Math.abs(skew) >= MIN_SKEW) image.rotate(-skew, { background: 'white' });
  return image.blur(SMOOTHING).toColourspace('b-w').png({ compressionLevel: 3 }).toBuffer();
}

async function skewOf(picture: GrayPicture): Promise<number> {
  const { data, info } = await fromRaw(picture)
    .resize({
      width: SKEW_EDGE,
      height: SKEW_EDGE,
      fit: 'inside',
      withoutEnlargement: true,
      kernel: 'linear',
    })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return findSkew(data, info.width, info.height);
}

const fromRaw = ({ width, height, pixels }: GrayPicture) =>
  sharp(pixels, { raw: { width, height, channels: 1 } });
