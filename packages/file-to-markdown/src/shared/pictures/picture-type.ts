export interface PictureType {
  mediaType: string;
  width: number;
  height: number;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG_START = 0xffd8;
const WEBP_HEADER = 30;
const TIFF_WIDTH = 256;
const TIFF_HEIGHT = 257;
const TIFF_SHORT = 3;

/** What a picture is and how large, from its header; undefined for what is none of PNG, JPEG, WebP and TIFF, or has it further on. */
export function pictureType(head: Buffer): PictureType | undefined {
  try {
    return png(head) ?? jpeg(head) ?? webp(head) ?? tiff(head);
  } catch (error) {
    // The header is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(head: Buffer): PictureType | undefined {
  if (!head.subarray(0, PNG.length).equals(PNG)) return undefined;
  return { mediaType: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

/** Segments up to the one that begins a frame; before it may be a preview and a colour profile. */
function jpeg(head: Buffer): PictureType | undefined {
  if (head.length < 2 || head.readUInt16BE(0) !== JPEG_START) return undefined;
  let at = 2;
  while (head.readUInt8(at) === 0xff) {
    const marker = head.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mediaType: 'image/jpeg', height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
    // A byte that fills up.
    if (marker === 0xff) at++;
    else at += 2 + head.readUInt16BE(at + 2);
  }
  return undefined;
}

function webp(head: Buffer): PictureType | undefined {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  if (head.length < WEBP_HEADER) return undefined;
  const kind = head.toString('latin1', 12, 16);
  const mediaType = 'image/webp';
  if (kind === 'VP8X')
    return { mediaType, width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = head.readUInt32LE(21);
    return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8 ') return undefined;
  return { mediaType, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
}

function tiff(head: Buffer): PictureType | undefined {
  const start = head.toString('latin1', 0, 4);
  const isLittle = start === 'II*\0';
  if (!isLittle && start !== 'MM\0*') return undefined;
  const short = (at: number) => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at));
  const long = (at: number) => (isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at));
  const directory = long(4);
  const found: Record<number, number> = {};
  for (let index = 0; index < short(directory); index++) {
    const entry = directory + 2 + 12 * index;
    found[short(entry)] = short(entry + 2) === TIFF_SHORT ? short(entry + 8) : long(entry + 8);
  }
  const { [TIFF_WIDTH]: width = 0, [TIFF_HEIGHT]: height = 0 } = found;
  return { mediaType: 'image/tiff', width, height };
}
