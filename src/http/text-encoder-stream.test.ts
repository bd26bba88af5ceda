import { expect, test } from 'vitest';
import { SteppedTextEncoderStream } from './text-encoder-stream.js';

test('a long text is encoded in parts, between its characters, while other work goes on', async () => {
  const text = `a${'😀'.repeat(1_500_000)}`;
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const parts: Uint8Array[] = [];
  const stream = new SteppedTextEncoderStream();
  const writer = stream.writable.getWriter();
  void writer.write(text).then(() => writer.close());
  for await (const part of stream.readable) parts.push(part);
  clearInterval(counting);
  expect(Buffer.concat(parts).equals(Buffer.from(text))).toBe(true);
  expect(parts).toHaveLength(4);
  expect(turns).toBeGreaterThan(0);
});
