import { crc32, deflateSync } from 'node:zlib';

/** A white PNG of these pixels. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height, 0xff);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.of()),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** The beginning of a JPEG, with a preview of some bytes before its size. */
export function jpegHead(width: number, height: number, preview = 0): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const application = Buffer.alloc(preview + 4);
  application.writeUInt16BE(0xffe1, 0);
  application.writeUInt16BE(preview + 2, 2);
  return Buffer.concat([Buffer.of(0xff, 0xd8), application, frame]);
}

/** The beginning of a WebP in one of its three forms. */
export function webpHead(width: number, height: number, form: 'VP8X' | 'VP8L' | 'VP8 '): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF', 0);
  bytes.write(`WEBP${form}`, 8);
  if (form === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (form === 'VP8L') bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  else {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return bytes;
}

/** A TIFF whose directory is at its end, as programs write it that do not know the size before. */
export function tiffHead(width: number, height: number, gap = 0): Buffer {
  const bytes = Buffer.alloc(8 + gap + 2 + 24 + 4);
  bytes.write('MM\0*', 0);
  bytes.writeUInt32BE(8 + gap, 4);
  bytes.writeUInt16BE(2, 8 + gap);
  for (const [index, [tag, value]] of [
    [256, width],
    [257, height],
  ].entries() as IterableIterator<[number, [number, number]]>) {
    const at = 10 + gap + 12 * index;
    bytes.writeUInt16BE(tag, at);
    bytes.writeUInt16BE(4, at + 2);
    bytes.writeUInt32BE(1, at + 4);
    bytes.writeUInt32BE(value, at + 8);
  }
  return bytes;
}
