import { createDecoder, resolveEncodingLabel } from './encodings.js';
import { NonAsciiSample } from './non-ascii-sample.js';
import { mostPlausibleEncoding } from './score-encodings.js';
import { Utf8Check } from './unicode-bytes.js';

/** Enough for statistics; more only costs time. */
const SAMPLE_BYTES = 64 * 1024;
/** How ISO-2022-JP, which is ASCII otherwise, begins Japanese. */
const JAPANESE_ESCAPES = ['\u001b$B', '\u001b$@'];

/** Detects the encoding of a byte stream without a byte order mark. */
export class EncodingDetector {
  readonly #utf8 = new Utf8Check();
  readonly #sample = new NonAsciiSample(SAMPLE_BYTES);
  #isEscaped = false;

  add(bytes: Buffer): void {
    this.#utf8.add(bytes);
    this.#sample.add(bytes);
    this.#isEscaped ||= JAPANESE_ESCAPES.some((sequence) => bytes.includes(sequence));
  }

  /** Whether more bytes would change nothing. */
  get isDone(): boolean {
    return this.#sample.isFull && !this.#utf8.isUtf8;
  }

  detect(declared?: string): string {
    const sample = this.#sample.bytes;
    if (sample.length === 0 && this.#isEscaped) return 'iso-2022-jp';
    if (this.#utf8.isUtf8) return 'utf-8';
    const named = resolveEncodingLabel(declared);
    return named && decodes(sample, named) ? named : mostPlausibleEncoding(sample);
  }
}

function decodes(sample: Uint8Array, encoding: string): boolean {
  try {
    createDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}
