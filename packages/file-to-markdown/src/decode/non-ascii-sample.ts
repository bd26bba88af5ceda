const LINE_FEED = 10;

/**
 * Collects the lines with non-ASCII bytes, from which the encoding is detected. In all encodings that this is
 * for, a line feed is never a part of another character.
 */
export class NonAsciiSample {
  readonly #parts: Uint8Array[] = [];
  #room: number;
  #inLine = false;

  constructor(size: number) {
    this.#room = size;
  }

  add(bytes: Uint8Array): void {
    let start = 0;
    while (this.#room > 0 && start < bytes.length) {
      const from = this.#inLine ? start : lineWithOthers(bytes, start);
      if (from === undefined) return;
      const lineFeed = bytes.indexOf(LINE_FEED, from);
      const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
      const part = bytes.slice(from, Math.min(end, from + this.#room));
      this.#parts.push(part);
      this.#room -= part.length;
      this.#inLine = lineFeed === -1;
      start = end;
    }
  }

  get isFull(): boolean {
    return this.#room <= 0;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** Where, from `start` on, the first line with another byte than ASCII begins, or that byte in a long line. */
function lineWithOthers(bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
  if (at === bytes.length) return undefined;
  const context = Math.max(start, at - 100);
  const lineFeed = bytes.subarray(context, at).lastIndexOf(LINE_FEED);
  return lineFeed === -1 ? context : context + lineFeed + 1;
}
