/*
 * Vectors of one bit for each dimension: whether its element is above the center's. The more bits are equal, the smaller is the
 * angle. (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002.)
 */

/** How many 32-bit words a vector has: an even number, as 64 bits are compared at a time. */
export const countWords = (dimensions: number): number => 2 * Math.ceil(dimensions / 64);

/**
 * Packs the signs of a vector's elements into words, from `start` on.
 *
 * @param options.center what all vectors have in common, which is taken off before: of models whose texts are all near
 *   each other, most signs would be equal
 * @param options.scale of the vector's elements, on the scale of the center
 */
export function packSigns(
  vector: Float32Array | Int8Array,
  words: Uint32Array,
  {
    start = 0,
    scale = 1,
    center,
  }: { start?: number; scale?: number; center?: readonly number[] | null } = {},
): void {
  for (let i = 0; i < vector.length; i++) {
    const isAbove = (vector[i] as number) * scale > (center?.[i] ?? 0);
    if (isAbove) (words[start + (i >>> 5)] as number) |= 1 << (i & 31);
  }
}
