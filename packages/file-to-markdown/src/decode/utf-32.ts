import type { Decoder } from './decoder.js';

export type Utf32 = 'utf-32le' | 'utf-32be';

const MARKS: [mark: string, encoding: Utf32][] = [
  ['fffe0000', 'utf-32le'],
  ['0000feff', 'utf-32be'],
];
/** Bytes looked at for UTF-32 without a mark. */
const SAMPLE = 1024;
/** Fewer characters may be some other numbers. */
const MIN_CHARACTERS = 4;
const PLAUSIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\t\r\n]+$/u;
const REPLACEMENT = 0xfffd;

export const isUtf32 = (encoding: string): encoding is Utf32 => encoding.startsWith('utf-32');

/**
 * UTF-32, by its mark or because all units of four bytes are characters of texts: in other encodings and in binary
 * files, they are hardly ever.
 */
export function detectUtf32(bytes: Uint8Array): Utf32 | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const marked = MARKS.find(([mark]) => mark === start)?.[1];
  if (marked) return marked;
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE) & ~3);
  if (sample.length < 4 * MIN_CHARACTERS) return undefined;
  return MARKS.map(([, encoding]) => encoding).find((encoding) => isText(sample, encoding));
}

function isText(sample: Uint8Array, encoding: Utf32): boolean {
  const high = encoding === 'utf-32le' ? 3 : 0;
  for (let at = high; at < sample.length; at += 4) if (sample[at] !== 0) return false;
  const text = new Utf32Decoder(encoding).decode(sample);
  const characters = sample.length / 4;
  const beyondFirstPlane = text.length - characters;
  return PLAUSIBLE.test(text) && !text.includes('\ufffd') && beyondFirstPlane <= characters / 2;
}

/** What TextDecoder has not: UTF-32, part by part too. */
export class Utf32Decoder implements Decoder {
  readonly #isLittle: boolean;
  #rest = Buffer.alloc(0);
  #isStart = true;

  constructor(encoding: Utf32) {
    this.#isLittle = encoding === 'utf-32le';
  }

  decode(bytes: Uint8Array = new Uint8Array(), { stream = false } = {}): string {
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.length & ~3;
    this.#rest = all.subarray(end);
    const units: string[] = [];
    for (let at = 0; at < end; at += 4) {
      const code = this.#isLittle ? all.readUInt32LE(at) : all.readUInt32BE(at);
      if (!(this.#isStart && code === 0xfeff))
        units.push(String.fromCodePoint(isScalar(code) ? code : REPLACEMENT));
      this.#isStart = false;
    }
    if (stream) return units.join('');
    const isCut = this.#rest.length > 0;
    this.#rest = Buffer.alloc(0);
    this.#isStart = true;
    return units.join('') + (isCut ? '\ufffd' : '');
  }
}

const isScalar = (code: number): boolean => code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
