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

/** The cosine between a vector of unit length and a quantized one of as many dimensions. */
export function cosine(vector: Float32Array, { scale, bytes }: QuantizedVector): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    // The byte as a signed number.
    sum += (vector[i] as number) * (((bytes[i] as number) << 24) >> 24);
  }
  return sum * scale;
}
