import { isUtf8 } from 'node:buffer';
import { encodeWindows1252, fixWindows1252 } from '../../decode/decode-text.js';

/** Repairs mojibake: UTF-8 that was decoded as Western European, as the mail declares. */
export function fixMojibake(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = encodeWindows1252(text);
  return bytes && isUtf8(bytes) ? bytes.toString() : fixWindows1252(text);
}
