/*
 * Vectors of one bit for each dimension: whether its element is above the center's. The more bits are equal, the smaller is the
 * angle. (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002.)
 */

const WORD_BITS = 32;

/** How many 32-bit words a vector has. */
export const countWords = (dimensions: number): number => Math.ceil(dimensions / WORD_BITS);

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

/**
 * Counts the bits in which vectors are equal to a question's.
 *
 * @param words of the vectors, one after the other
 * @param first the first vector to compare
 * @param counts receives the number for each vector from the first on, as many as it has places
 */
export function countEqualBits(
  question: Uint32Array,
  words: Uint32Array,
  first: number,
  counts: Float32Array,
): void {
  const size = question.length;
  let at = first * size;
  for (let i = 0; i < counts.length; i++) {
    let different = 0;
    for (let j = 0; j < size; j++) different += countOnes((words[at++] as number) ^ (question[j] as number));
    counts[i] = size * WORD_BITS - different;
  }
}

/** Adds neighbouring bits, pairs and groups of four in parallel. (Warren, "Hacker's Delight", 2012, chapter 5.) */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
