/*
 * Pictures of numbers, in place of text recognition: bars from top to bottom, black for each bit that is 1. Lines that lie
 * like those of text are left as they are when a page is straightened.
 */

export interface GrayPage {
  gray: Uint8Array;
  width: number;
  height: number;
}

const [WIDTH, HEIGHT] = [400, 566];
const BITS = 24;
const [TOP, BAR] = [60, 18];
const [LEFT, RIGHT] = [100, 300];

export function toBars(number: number): GrayPage {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (let bit = 0; bit < BITS; bit++) {
    if (((number >> bit) & 1) === 0) continue;
    for (let y = TOP + bit * BAR; y < TOP + (bit + 1) * BAR; y++)
      gray.fill(0, y * WIDTH + LEFT, y * WIDTH + RIGHT);
  }
  return { gray, width: WIDTH, height: HEIGHT };
}

/** The number of a picture, which may have another resolution. */
export function fromBars({ gray, width, height }: GrayPage): number {
  let number = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const y = Math.round(((TOP + (bit + 0.5) * BAR) / HEIGHT) * height);
    if ((gray[y * width + Math.round(width / 2)] ?? 255) < 128) number += 1 << bit;
  }
  return number;
}
