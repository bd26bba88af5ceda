/** [MS-CFB] 2.2: where the header says what, and how large it is. */
const HEADER = { sectorShift: 30, difatChain: 68, difat: 76, size: 512 };

/** The sectors of an OLE container, and which follows on which. */
export class OleSectors {
  readonly #bytes: Buffer;
  readonly #size: number;
  readonly #count: number;
  readonly #onDamage: () => void;
  readonly #table: Buffer[];

  constructor(bytes: Buffer, onDamage: () => void) {
    this.#bytes = bytes;
    // Version 3 has sectors of 512 bytes, and version 4 of 4096.
    this.#size = bytes[HEADER.sectorShift] === 12 ? 4096 : 512;
    this.#count = Math.ceil(bytes.length / this.#size) - 1;
    this.#onDamage = onDamage;
    this.#table = this.#readTable();
  }

  /** What is in the sectors from the first on; less than the length where the container is damaged. */
  read(first: number, length = this.#bytes.length): Buffer {
    const limit = Math.ceil(length / this.#size);
    const next = (number: number) => {
      const at = number * 4;
      return numberAt(this.#table[Math.floor(at / this.#size)], at % this.#size);
    };
    const numbers = followChain(first, next, { limit, count: this.#count, onDamage: this.#onDamage });
    return Buffer.concat(numbers.map((number) => this.#sectorAt(number))).subarray(0, length);
  }

  #sectorAt(number: number): Buffer {
    return this.#bytes.subarray((number + 1) * this.#size, (number + 2) * this.#size);
  }

  /** The sectors with the numbers that follow: the header names the first of them, and a chain the others. */
  #readTable(): Buffer[] {
    const numbers = numbersIn(this.#bytes.subarray(HEADER.difat, HEADER.size));
    const next = (number: number) => numberAt(this.#sectorAt(number), this.#size - 4);
    const first = numberAt(this.#bytes, HEADER.difatChain);
    for (const number of followChain(first, next, { count: this.#count, onDamage: this.#onDamage })) {
      for (const named of numbersIn(this.#sectorAt(number)).slice(0, -1)) numbers.push(named);
    }
    const needed = Math.ceil((this.#count * 4) / this.#size);
    return numbers.slice(0, needed).map((number) => this.#sectorAt(number));
  }
}

interface ChainLimits {
  /** Numbers from here on are marks, such as the end of a chain, or damage. */
  count: number;
  /** How many numbers are asked for. */
  limit?: number;
  /** Called for a chain that comes back to itself, which ends there. */
  onDamage: () => void;
}

/** The numbers of a chain. */
export function followChain(
  first: number,
  next: (number: number) => number,
  { count, limit = count, onDamage }: ChainLimits,
): number[] {
  const numbers = new Set<number>();
  for (let at = first; at < count && numbers.size < limit; at = next(at)) {
    if (numbers.has(at)) {
      onDamage();
      break;
    }
    numbers.add(at);
  }
  return [...numbers];
}

/** @returns Infinity, as for the end of a chain, where there is none */
export const numberAt = (bytes: Buffer | undefined, at: number): number =>
  bytes && at + 4 <= bytes.length ? bytes.readUInt32LE(at) : Number.POSITIVE_INFINITY;

const numbersIn = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(index * 4));
