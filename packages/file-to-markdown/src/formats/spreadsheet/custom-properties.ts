const START = '<CustomDocumentProperties';
const END = '</CustomDocumentProperties>';

/** A workbook as XML without properties of the file, whose types the reader does not all know; others as they are. */
export function withoutCustomProperties(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, 64).includes('<?xml')) return bytes;
  const start = bytes.indexOf(START);
  const end = start === -1 ? -1 : bytes.indexOf(END, start);
  return end === -1 ? bytes : Buffer.concat([bytes.subarray(0, start), bytes.subarray(end + END.length)]);
}
