import { decodeText, detectWideEncoding } from '../../decode/decode-text.js';

const BLANK_LINE = /\r?\n\r?\n/;
const CHARSET_WIDE = /charset\s*=\s*["']?utf-?(?:16|32)[\w-]*["']?/gi;
/** What is called ASCII and holds other letters is of no known encoding. */
const CHARSET = /charset\s*=\s*["']?(?!us-ascii)([\w-]+)/i;

/**
 * A message as MIME wants it: old programs write letters other than ASCII in headers, and in bodies without a word
 * on their encoding, and some save the whole as UTF-16 or UTF-32. What is not declared is found out, and written in UTF-8.
 */
export function declareCharset(bytes: Uint8Array): Uint8Array {
  if (detectWideEncoding(bytes))
    return Buffer.from(decodeText(bytes).text.replace(CHARSET_WIDE, 'charset=utf-8'));
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const headLength = BLANK_LINE.exec(text)?.index ?? text.length;
  const declared = CHARSET.exec(text)?.[1];
  if (!declared) return Buffer.from(decodeText(bytes).text);
  const head = bytes.subarray(0, headLength);
  if (!/[\u0080-\u00ff]/.test(text.slice(0, headLength))) return bytes;
  return Buffer.concat([Buffer.from(decodeText(head, declared).text), bytes.subarray(headLength)]);
}
