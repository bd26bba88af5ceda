const BLANK_LINE = /\r?\n\r?\n/;
/** Where a line of the head begins with an encoded word (RFC 2047), which no header field does. */
const UNFOLDED = /\n(?==\?[\w-]+\?[bq]\?)/gi;

/** Indents encoded words that continue a header on the next line, as some programs forget to. */
export function foldHeaders(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const headLength = BLANK_LINE.exec(text)?.index ?? text.length;
  const head = text.slice(0, headLength);
  const folded = head.replace(UNFOLDED, '\n ');
  return folded === head ? bytes : Buffer.concat([Buffer.from(folded, 'latin1'), bytes.subarray(headLength)]);
}
