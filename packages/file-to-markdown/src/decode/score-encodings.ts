import { createDecoder } from './encodings.js';
import { plausibility } from './plausibility.js';

/** Encodings, with what is added to their score: where several make sense of the bytes, the common ones win. */
const CANDIDATES: [encoding: string, bonus: number][] = [
  ['windows-1252', 0.1],
  ['gb18030', 0.05],
  ['big5', 0.05],
  ['shift_jis', 0.05],
  ['euc-jp', 0.05],
  ['euc-kr', 0.05],
  ['windows-1250', 0.05],
  ['windows-1251', 0.08],
  ['windows-1254', 0.06],
  ['windows-1253', 0],
  ['windows-1255', 0],
  ['windows-1256', 0],
  ['windows-1257', 0],
  ['windows-874', 0],
  ['koi8-r', 0],
  ['iso-8859-2', 0],
  ['iso-8859-5', -0.1],
  ['iso-8859-6', -0.1],
  ['ibm866', -0.1],
  ['macintosh', -0.15],
  ['x-mac-cyrillic', -0.15],
];
/** Less is no text in any of them. */
const FLOOR = 0.25;

/** The encoding, other than UTF-8 and UTF-16, that makes most sense of some bytes. */
export function mostPlausibleEncoding(sample: Uint8Array): string {
  let best = { encoding: 'windows-1252', score: FLOOR };
  for (const [encoding, bonus] of CANDIDATES) {
    const score = bonus + plausibility(createDecoder(encoding).decode(sample, { stream: true }));
    if (score > best.score) best = { encoding, score };
  }
  return best.encoding;
}
