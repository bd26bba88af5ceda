import { detectWideEncoding } from '../decode/decode-text.js';

const MAX_CONTROLS = 0.05;

/**
 * Text has no control characters but white space and escape; a few are let pass in valid UTF-8, which binary
 * content hardly ever is. UTF-16 and UTF-32 are text with zero bytes.
 */
export function isText(head: Buffer): boolean {
  if (detectWideEncoding(head)) return true;
  const controls = head.reduce((sum, byte) => sum + (isControl(byte) ? 1 : 0), 0);
  return controls === 0 || (controls <= head.length * MAX_CONTROLS && isUtf8(head));
}

function isControl(byte: number): boolean {
  return byte < 32 && (byte < 8 || byte > 13) && byte !== 26 && byte !== 27;
}

function isUtf8(head: Buffer): boolean {
  try {
    // `stream` forgives a character that the end of the sample divides.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
