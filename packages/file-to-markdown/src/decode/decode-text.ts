import type { SourceBytes } from '../source-bytes.js';
import { EncodingDetector } from './encoding-detector.js';
import { createDecoder } from './encodings.js';
import { detectWideEncoding, encodingFromBom } from './unicode-bytes.js';

export { createDecoder, encodeWindows1252, fixWindows1252 } from './encodings.js';
export { detectWideEncoding } from './unicode-bytes.js';

export interface DecodedText {
  text: string;
  /** WHATWG name of the encoding that was used, e.g. `utf-8`, `gb18030`, `windows-1252`. */
  encoding: string;
}

type StreamedBytes = Pick<SourceBytes, 'readHead' | 'stream'>;

/** Enough to detect a byte order mark, UTF-32 or UTF-16. */
const HEAD_BYTES = 4096;
/** Bytes decoded at a time. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Bytes to text. A byte order mark decides; then UTF-32 and UTF-16 without a mark, seen by their zero bytes; then whether the
 * bytes are UTF-8, a few damaged ones aside; then the encoding the file or its sender declares, if it fits; then
 * statistics.
 *
 * @param declared label from an HTTP header, `<meta charset>` or XML declaration; ignored when unknown
 */
export function decodeText(bytes: Uint8Array, declared?: string): DecodedText {
  const encoding = detectWideEncoding(bytes) ?? encodingFromBom(bytes) ?? findEncoding(bytes, declared);
  return { text: createDecoder(encoding).decode(bytes), encoding };
}

/**
 * As `decodeText`, part by part and without holding the source in memory: where it has no mark it is read twice,
 * first to find its encoding.
 */
export async function* decodeStream(source: StreamedBytes, declared?: string): AsyncGenerator<string> {
  const head = await source.readHead(HEAD_BYTES);
  const encoding =
    detectWideEncoding(head) ?? encodingFromBom(head) ?? (await findStreamEncoding(source, declared));
  const decoder = createDecoder(encoding);
  for await (const bytes of streamBlocks(source)) {
    const text = decoder.decode(bytes, { stream: true });
    if (text) yield text;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

function findEncoding(bytes: Uint8Array, declared?: string): string {
  const finder = new EncodingDetector();
  for (const block of blocksOf(bytes)) finder.add(block);
  return finder.detect(declared);
}

async function findStreamEncoding(source: StreamedBytes, declared?: string): Promise<string> {
  const finder = new EncodingDetector();
  for await (const block of streamBlocks(source)) {
    finder.add(block);
    if (finder.isDone) break;
  }
  return finder.detect(declared);
}

/** A source in memory comes as one part, which would make one string of all its text. */
async function* streamBlocks(source: StreamedBytes): AsyncGenerator<Buffer> {
  for await (const bytes of source.stream()) yield* blocksOf(bytes);
}

function* blocksOf(bytes: Uint8Array): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    const length = Math.min(BLOCK_BYTES, bytes.length - start);
    yield Buffer.from(bytes.buffer, bytes.byteOffset + start, length);
  }
}
