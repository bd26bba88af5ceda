import jschardet from 'jschardet';

export interface DecodedText {
  text: string;
  /** WHATWG label of the encoding that was used, e.g. `utf-8`, `gb18030`, `windows-1252`. */
  encoding: string;
}

/** Enough for the detector's statistics; more only costs time. */
const SAMPLE_BYTES = 64 * 1024;
const DETECTION_FLOOR = 0.5;
const FALLBACK = 'windows-1252';

const BOMS: { bytes: number[]; encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** What windows-1252 has at 0x80..0x9f; five of them are not assigned. */
const WINDOWS_1252 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'];
const C1_CONTROLS = /[\u0080-\u009f]/g;

/** Names the detector uses that TextDecoder does not know, and subsets whose superset decodes more files. */
const LABELS: Record<string, string> = {
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'hz-gb-2312': 'gb18030',
  ascii: FALLBACK,
  maccyrillic: 'x-mac-cyrillic',
  'tis-620': 'windows-874',
};

/**
 * Bytes to text. A byte order mark decides; then whether the bytes are valid UTF-8; then UTF-16 without a
 * mark, seen by its zero bytes; then the encoding the file or its sender declares; then statistics.
 *
 * @param declared label from an HTTP header, `<meta charset>` or XML declaration; ignored when unknown
 */
export function decodeText(bytes: Uint8Array, declared?: string): DecodedText {
  const bom = BOMS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte));
  if (bom) return { text: decode(bytes, bom.encoding), encoding: bom.encoding };
  const utf8 = decodeStrictly(bytes, 'utf-8');
  if (utf8 !== undefined && !utf16Variant(bytes)) return { text: utf8, encoding: 'utf-8' };
  const encoding = utf16Variant(bytes) ?? label(declared) ?? detect(bytes);
  return { text: decode(bytes, encoding), encoding };
}

function decode(bytes: Uint8Array, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding !== 'windows-1252') return text;
  // Node 20 decodes windows-1252 as ISO-8859-1 (nodejs/node#56542), which loses the euro sign and quotes.
  return text.replace(C1_CONTROLS, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * `utf-16le` or `utf-16be` when the bytes start with its mark or look like it: Latin text in UTF-16 has a zero
 * in nearly every other byte, and text in another encoding has none.
 */
export function utf16Variant(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const length = Math.min(bytes.length, 1024) & ~1;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) even++;
    if (bytes[index + 1] === 0) odd++;
  }
  const many = length * 0.2;
  if (odd > many && even < many / 10) return 'utf-16le';
  if (even > many && odd < many / 10) return 'utf-16be';
  return undefined;
}

function detect(bytes: Uint8Array): string {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES));
  const { encoding, confidence } = jschardet.detect(sample);
  return (confidence >= DETECTION_FLOOR && label(encoding)) || FALLBACK;
}

function label(name: string | null | undefined): string | undefined {
  if (!name) return undefined;
  const lower = name.trim().toLowerCase();
  try {
    return new TextDecoder(LABELS[lower] ?? lower).encoding;
  } catch {
    return undefined;
  }
}
