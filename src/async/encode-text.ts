import { runYielding, type Steps } from './steps.js';
import { textParts } from './text-parts.js';

/** A text in UTF-8. Other work of the event loop runs in between where it is long. */
export const encodeText = (text: string): Promise<Buffer> => runYielding(encodeInSteps(text));

export function* encodeInSteps(text: string): Steps<Buffer> {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let written = 0;
  for (const part of textParts(text)) {
    written += bytes.write(part, written);
    if (written < bytes.length) yield;
  }
  return bytes;
}
