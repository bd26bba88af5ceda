import { corruptFileError } from '../../errors.js';

/** Bytes of a stream; what lies outside of it is damage. */
export class ByteView {
  constructor(private readonly bytes: Buffer) {}

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.slice(at, 1)[0] as number;
  }

  u16(at: number): number {
    return this.slice(at, 2).readUInt16LE();
  }

  u32(at: number): number {
    return this.slice(at, 4).readUInt32LE();
  }

  /** @throws ParseError `corrupt` where the stream ends before */
  slice(at: number, length: number): Buffer {
    if (!(at >= 0 && length >= 0 && at + length <= this.bytes.length))
      throw corruptFileError('Word document');
    return this.bytes.subarray(at, at + length);
  }
}
