/** Collects bytes in a buffer that grows. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4 * 1024);
  length = 0;

  writeByte(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow();
    this.#bytes[this.length++] = byte;
  }

  writeBytes(bytes: Uint8Array): void {
    while (this.length + bytes.length > this.#bytes.length) this.#grow();
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
  writeVarint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.writeByte((rest & 0x7f) | 0x80);
    this.writeByte(rest);
  }

  writeUint32(value: number): void {
    for (const shift of [24, 16, 8, 0]) this.writeByte((value >>> shift) & 0xff);
  }

  writeHex(digits: string): void {
    while (this.length + digits.length / 2 > this.#bytes.length) this.#grow();
    this.length += this.#bytes.write(digits, this.length, 'hex');
  }

  /** A copy of all bytes written since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
