import { isUtf8 } from 'node:buffer';
import { fixWindows1252 } from '../../decode-text.js';

/** Text as it was meant that was decoded as Western European, by what the mail declares: UTF-8 is what it is. */
export function fixMojibake(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  const isOneByteEach = bytes.toString('latin1') === text;
  return isOneByteEach && isUtf8(bytes) ? bytes.toString() : fixWindows1252(text);
}
