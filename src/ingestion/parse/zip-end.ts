/** The last record of a ZIP (APPNOTE.TXT 4.3.16): its signature, its size without a comment, and where that one's size is. */
const SIGNATURE = Buffer.from('504b0506', 'hex');
const SIZE = 22;
const COMMENT_SIZE_AT = 20;

/**
 * A ZIP that ends where it says: without what follows its end, or with no comment where that is cut off. Office programs
 * read such files, and mail servers and downloads make them. The bytes as they are where there is nothing to mend.
 */
export function endZip(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(SIGNATURE);
  if (at < 0 || at + SIZE > bytes.length) return bytes;
  const commentSize = bytes.readUInt16LE(at + COMMENT_SIZE_AT);
  if (at + SIZE + commentSize === bytes.length) return bytes;
  const mended = Buffer.from(bytes.subarray(0, at + SIZE));
  mended.writeUInt16LE(0, at + COMMENT_SIZE_AT);
  return mended;
}
