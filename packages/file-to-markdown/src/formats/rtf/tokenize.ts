export type Token =
  | { type: 'open' }
  | { type: 'close' }
  /** A control word or symbol, e.g. `par`, `~`. */
  | { type: 'control'; name: string; value: number | undefined }
  /** One byte of text in the current code page. */
  | { type: 'byte'; byte: number };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const MAX_WORD = 32;

/** The tokens of an RTF file. Binary data is passed over; line ends outside of it mean nothing. */
export function* tokenize(bytes: Uint8Array): Generator<Token> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at++] ?? 0;
    if (byte === OPEN) yield { type: 'open' };
    else if (byte === CLOSE) yield { type: 'close' };
    else if (byte === BACKSLASH) {
      const { token, end } = readControl(bytes, at);
      at = token.type === 'control' && token.name === 'bin' ? end + Math.max(0, token.value ?? 0) : end;
      yield token;
    } else if (byte !== 10 && byte !== 13 && byte !== 0) yield { type: 'byte', byte };
  }
}

/** What follows a backslash. */
function readControl(bytes: Uint8Array, start: number): { token: Token; end: number } {
  const first = bytes[start] ?? 0;
  if (!isLetter(first)) return readSymbol(bytes, start, first);
  let end = start;
  while (end - start < MAX_WORD && isLetter(bytes[end] ?? 0)) end++;
  const name = ascii(bytes, start, end);
  const digits = bytes[end] === 0x2d ? end + 1 : end;
  let after = digits;
  while (after - digits < 10 && isDigit(bytes[after] ?? 0)) after++;
  const value = after > digits ? Number(ascii(bytes, end, after)) : undefined;
  if (value !== undefined) end = after;
  // A blank only ends the word.
  if (bytes[end] === 0x20) end++;
  return { token: { type: 'control', name, value }, end };
}

function readSymbol(bytes: Uint8Array, start: number, first: number): { token: Token; end: number } {
  if (first === 0x27) {
    const byte = Number.parseInt(ascii(bytes, start + 1, start + 3), 16);
    const token: Token = Number.isNaN(byte)
      ? { type: 'control', name: "'", value: undefined }
      : { type: 'byte', byte };
    return { token, end: start + 3 };
  }
  if (first === BACKSLASH || first === OPEN || first === CLOSE) {
    return { token: { type: 'byte', byte: first }, end: start + 1 };
  }
  const isLineEnd = first === 10 || first === 13;
  const name = isLineEnd ? 'par' : String.fromCharCode(first);
  return { token: { type: 'control', name, value: undefined }, end: start + 1 };
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
