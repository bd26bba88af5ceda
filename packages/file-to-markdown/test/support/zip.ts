import { crc32, deflateRawSync } from 'node:zlib';

/** A ZIP of some texts, by name. */
export function zipOf(parts: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const file = Buffer.from(name);
    // Version, flags (names in UTF-8), method (deflate), time, date; then what follows is the same in both headers.
    const fields = [u16(20), u16(0x800), u16(8), u16(0), u16(0x21)];
    fields.push(u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(file.length), u16(0));
    const local = Buffer.concat([u32(0x04034b50), ...fields, file, packed]);
    const rest = [u16(0), u16(0), u16(0), u32(0), u32(offset), file];
    directory.push(Buffer.concat([u32(0x02014b50), u16(20), ...fields, ...rest]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const count = [u16(directory.length), u16(directory.length)];
  const end = [u32(0x06054b50), u16(0), u16(0), ...count, u32(entries.length), u32(offset), u16(0)];
  return Buffer.concat([...locals, entries, ...end]);
}

/** The same with an entry whose packed bytes are no such. */
export function damaged(zip: Buffer, name: string): Buffer {
  const bytes = Buffer.from(zip);
  const at = bytes.indexOf(name) + name.length;
  bytes.fill(0xff, at, at + 8);
  return bytes;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
