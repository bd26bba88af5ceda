import type { Decoder } from './decoder.js';
import { isUtf32, Utf32Decoder } from './utf-32.js';

/** Subsets and near relations whose superset decodes more files, and names that TextDecoder does not know. */
const ALIASES: Record<string, string> = {
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'hz-gb-2312': 'gb18030',
  ansi: 'windows-1252',
  cp850: 'windows-1252',
  cp866: 'ibm866',
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp936: 'gb18030',
  cp949: 'euc-kr',
  cp950: 'big5',
  maccyrillic: 'x-mac-cyrillic',
  'tis-620': 'windows-874',
};

/** What windows-1252 has at 0x80..0x9f; five of them are not assigned. */
const WINDOWS_1252 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'];
const C1_CONTROLS = /[\u0080-\u009f]/g;
const WINDOWS_1252_ONLY = /[€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g;

/** The WHATWG name of an encoding; undefined for what is not known. */
export function resolveEncodingLabel(label: string | null | undefined): string | undefined {
  const lower = label?.trim().toLowerCase() ?? '';
  try {
    return new TextDecoder(ALIASES[lower] ?? lower).encoding;
  } catch {
    return undefined;
  }
}

/**
 * A TextDecoder that reads windows-1252 as it is defined, and UTF-32.
 *
 * @param fatal whether bytes that the encoding does not have throw, rather than becoming U+FFFD; not in UTF-32
 */
export function createDecoder(encoding: string, { fatal = false } = {}): Decoder {
  if (isUtf32(encoding)) return new Utf32Decoder(encoding);
  const decoder = new TextDecoder(encoding, { fatal });
  if (encoding !== 'windows-1252') return decoder;
  return { decode: (bytes, options) => fixWindows1252(decoder.decode(bytes, options)) };
}

/**
 * Puts in what windows-1252 has in place of control characters that no text has. Node 20 decodes windows-1252 as
 * ISO-8859-1 (nodejs/node#56542), which loses the euro sign and quotes; Node 22 and 24 do not.
 */
export function fixWindows1252(text: string): string {
  return text.replace(C1_CONTROLS, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

/** The bytes that were decoded as windows-1252, by any version of Node.js; undefined for text that has other characters. */
export function encodeWindows1252(text: string): Buffer | undefined {
  const controls = text.replace(WINDOWS_1252_ONLY, (character) =>
    String.fromCharCode(0x80 + WINDOWS_1252.indexOf(character)),
  );
  const bytes = Buffer.from(controls, 'latin1');
  return bytes.toString('latin1') === controls ? bytes : undefined;
}
