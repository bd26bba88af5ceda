import { expect, it } from 'vitest';
import { fileLimits, maxChunksFor } from './file-limits.js';

const MOST = { chunks: 250_000, processorMs: 1_800_000 };
const MIB = 2 ** 20;

it.each([
  [0, { characters: 4_000_000, chunks: 170_000, processorMs: 30_000 }],
  [110_000, { characters: 6_200_000, chunks: 250_000, processorMs: 36_294 }],
  [MIB, { characters: 24_971_520, chunks: 250_000, processorMs: 90_000 }],
  [100 * MIB, { characters: 500_000_000, chunks: 250_000, processorMs: 1_800_000 }],
])('a file of %i bytes has limits of its own', (bytes, { processorMs, ...limits }) => {
  expect(fileLimits(bytes, MOST)).toEqual({ ...limits, processorMs: expect.closeTo(processorMs, -1) });
});

it('lets the largest plain text be split, also into small chunks with half of each repeated', () => {
  const bytes = 100 * MIB;
  const { characters, chunks } = fileLimits(bytes, MOST);
  expect(characters).toBeGreaterThan(2 * bytes);
  // 99 MB of plain text make some 130,000 chunks of the usual size.
  expect(chunks).toBeGreaterThan(190_000);
  expect(maxChunksFor(bytes)).toBeGreaterThan(bytes / 70);
});

it('goes by the text that was read where a file says little', () => {
  expect(maxChunksFor(0)).toBe(10_000);
  expect(maxChunksFor(1_000_000)).toBe(50_000);
});
