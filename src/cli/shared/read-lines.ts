/** Lines of UTF-8. One of more than `maxBytes` is undefined, and is not kept. The last one needs no line feed. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (): string | undefined => {
    const line = size > maxBytes ? undefined : Buffer.concat(parts).toString('utf8');
    [parts, size] = [[], 0];
    return line;
  };
  const add = (part: Uint8Array) => {
    size += part.byteLength;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    if (start < chunk.byteLength) add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

const LINE_FEED = 10;
