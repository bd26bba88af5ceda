import { isUtf8 } from 'node:buffer';
import { fixWindows1252 } from '../../decode-text.js';

/** Repairs mojibake: UTF-8 that was decoded as Western European, as the mail declares. */
export function fixMojibake(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  const isOneByteEach = bytes.toString('latin1') === text;
  return isOneByteEach && isUtf8(bytes) ? bytes.toString() : fixWindows1252(text);
}
