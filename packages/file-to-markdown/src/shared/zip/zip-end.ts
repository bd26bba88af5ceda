/** The last record of a ZIP (APPNOTE.TXT 4.3.16): its signature, its size without a comment, and where it says what. */
const END = { signature: Buffer.from('504b0506', 'hex'), size: 22 };
const DIRECTORY_SIZE_AT = 12;
const DIRECTORY_START_AT = 16;
const COMMENT_SIZE_AT = 20;
const DIRECTORY_SIGNATURE = 0x02014b50;
const FIRST_ENTRY = Buffer.from('504b0304', 'hex');
const OLE = Buffer.from('d0cf11e0', 'hex');
/** Bytes that may stand before a ZIP, such as a line break or a mark that a web server sent first. */
const BEFORE = 1024;

/**
 * A ZIP that begins and ends where it says: without what stands before its first entry and behind its end, and with no
 * comment where that is cut off. Office programs read such files, and mail servers and downloads make them. The bytes as
 * they are where there is nothing to mend.
 */
export function endZip(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(END.signature);
  if (at < 0 || at + END.size > bytes.length) return bytes;
  const start = startOf(bytes, at);
  const commentSize = bytes.readUInt16LE(at + COMMENT_SIZE_AT);
  if (at + END.size + commentSize === bytes.length) return bytes.subarray(start);
  const mended = Buffer.from(bytes.subarray(start, at + END.size));
  mended.writeUInt16LE(0, mended.length - END.size + COMMENT_SIZE_AT);
  return mended;
}

/** Where the first entry of a ZIP is, which may have a little before it; -1 for what is no ZIP. */
export function findZip(bytes: Buffer): number {
  // A file in an OLE container may be a ZIP.
  return bytes.subarray(0, OLE.length).equals(OLE) ? -1 : bytes.subarray(0, BEFORE).indexOf(FIRST_ENTRY);
}

/** From where offsets count: the directory is followed by the record that says where it is. */
function startOf(bytes: Buffer, end: number): number {
  const shift =
    end - bytes.readUInt32LE(end + DIRECTORY_SIZE_AT) - bytes.readUInt32LE(end + DIRECTORY_START_AT);
  if (shift <= 0) return 0;
  const directory = end - bytes.readUInt32LE(end + DIRECTORY_SIZE_AT);
  return directory > 0 && bytes.readUInt32LE(directory) === DIRECTORY_SIGNATURE ? shift : 0;
}
