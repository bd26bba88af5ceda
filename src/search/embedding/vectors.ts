/** A vector of unit length in signed bytes. */
export interface QuantizedVector {
  /** Of one step of an element. */
  scale: number;
  bytes: Buffer;
}

/** The same direction, of length 1. Undefined where it has none: for zeros, and for what is not finite. */
export function toUnitLength(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}

/** Rounds each element to one of 255 steps between the largest magnitude and its negative. */
export function quantize(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  return { scale, bytes: Buffer.from(Int8Array.from(vector, (value) => Math.round(value / scale)).buffer) };
}

/**
 * Makes a function for the cosine between a vector and quantized ones, after what all texts have in common is taken off
 * each: else a text that is near the center is near all questions. The more alike all texts are, the longer is the
 * center and the more of it counts: its squared length is their mean cosine.
 *
 * @param center the mean of some of the model's vectors; nothing is taken off without one
 */
export function compareWith(
  vector: Float32Array,
  center?: readonly number[] | null,
): (other: QuantizedVector) => number {
  const share = (center ?? []).reduce((sum, value) => sum + value * value, 0);
  const common = Float32Array.from(vector, (_, i) => share * (center?.[i] ?? 0));
  const own = vector.map((value, i) => value - (common[i] as number));
  const ownLength = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0));
  return ({ scale, bytes }) => {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < own.length; i++) {
      // The byte as a signed number.
      const value = (((bytes[i] as number) << 24) >> 24) * scale - (common[i] as number);
      sum += (own[i] as number) * value;
      squares += value * value;
    }
    return sum / (ownLength * Math.sqrt(squares) || 1);
  };
}
