import { isAscii } from 'node:buffer';
import { detectUtf32 } from './utf-32.js';

const BOMS: { bytes: number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];
/** Bytes looked at for UTF-16. */
const SAMPLE = 1024;
/** A text in UTF-8 with a few bytes damaged is still one; in other encodings hardly any bytes are valid. */
const MAX_DAMAGE = 0.1;
const REPLACEMENT = Buffer.from('\ufffd');
const NOT_ASCII = /\P{ASCII}/gu;

/** The encoding that a byte order mark names. */
export function encodingFromBom(bytes: Uint8Array): string | undefined {
  return BOMS.find((bom) => bom.bytes.every((byte, index) => bytes[index] === byte))?.encoding;
}

/** UTF-32 or UTF-16, where the bytes start with a mark of these or look like them. */
export const detectWideEncoding = (bytes: Uint8Array): string | undefined =>
  detectUtf32(bytes) ?? detectUtf16(bytes);

/**
 * `utf-16le` or `utf-16be` when the bytes start with its mark or look like it: in UTF-16, blanks, digits and
 * Latin letters have a zero at the same place of their two bytes, and text in another encoding has none.
 */
function detectUtf16(bytes: Uint8Array): string | undefined {
  const marked = encodingFromBom(bytes);
  if (marked) return marked === 'utf-8' ? undefined : marked;
  const length = Math.min(bytes.length, SAMPLE) & ~1;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) even++;
    if (bytes[index + 1] === 0) odd++;
  }
  if (even === odd) return undefined;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const most = Math.max(even, odd);
  if (most > length * 0.2 && Math.min(even, odd) < most / 10) return encoding;
  // Chinese and the like: few zeros, so that the text itself has to make sense.
  return Math.min(even, odd) === 0 && isProse(bytes.subarray(0, length), encoding) ? encoding : undefined;
}

function isProse(bytes: Uint8Array, encoding: string): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{P}\p{Sc}\p{N}A-Za-z\s]+$/u.test(
      text,
    );
  } catch {
    return false;
  }
}

/** Whether bytes, given part by part, are UTF-8. */
export class Utf8Check {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #others = 0;
  #damaged = 0;

  add(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text.length === bytes.length && isAscii(bytes)) return;
    this.#others += text.match(NOT_ASCII)?.length ?? 0;
    const replaced = text.match(/\ufffd/g)?.length ?? 0;
    if (replaced > 0) this.#damaged += replaced - countReplacements(bytes);
  }

  get isUtf8(): boolean {
    return this.#damaged <= (this.#others - this.#damaged) * MAX_DAMAGE;
  }
}

/** Characters that stood as U+FFFD before. */
function countReplacements(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(REPLACEMENT); at !== -1; at = buffer.indexOf(REPLACEMENT, at + 3)) count++;
  return count;
}
