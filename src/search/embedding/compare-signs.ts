import { encodeEqualBits } from './equal-bits-module.js';

/** Vectors that are compared at a time: of 384 dimensions, 96 KiB, which the cache of a processor holds. */
export const VECTORS_AT_ONCE = 2_048;
const PAGE_BYTES = 65_536;

/** What is used of it: the types of Node.js have none. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface EqualBits {
  /** The question, the vectors, and for each found one its address and its equal bits. */
  memory: { buffer: ArrayBuffer };
  /** Returns the end of what it has found: all from `vector` to `end` with more than `least` equal bits. */
  compare(vector: number, end: number, least: number, found: number): number;
}

/** By the number of words. */
const modules = new Map<number, EqualBits>();

/**
 * Finds the vectors whose signs are equal to a question's in more than `least` bits, in their order.
 *
 * Their words are copied to the memory of a WebAssembly module, which is small and stays: such memories never shrink.
 *
 * @param words of at most {@link VECTORS_AT_ONCE} vectors, as `packSigns` packs them
 * @param visit is given the index of each, and the number of its equal bits
 */
export function findAlike(
  question: Uint32Array,
  words: Uint32Array,
  least: number,
  visit: (index: number, equal: number) => void,
): void {
  const size = question.length;
  const module = modules.get(size) ?? instantiate(size);
  modules.set(size, module);
  const { memory, compare } = module;
  const area = new Uint32Array(memory.buffer);
  const found = size * (1 + VECTORS_AT_ONCE);
  for (let i = 0; i < size; i++) area[i] = ~(question[i] as number);
  area.set(words, size);
  const end = compare(4 * size, 4 * (size + words.length), least, 4 * found) / 4;
  for (let i = found; i < end; i += 2) visit((area[i] as number) / (4 * size) - 1, area[i + 1] as number);
}

function instantiate(size: number): EqualBits {
  const bytes = 4 * (size * (1 + VECTORS_AT_ONCE) + 2 * VECTORS_AT_ONCE);
  const module = new WebAssembly.Module(encodeEqualBits(size / 2, Math.ceil(bytes / PAGE_BYTES)));
  return new WebAssembly.Instance(module).exports as EqualBits;
}
