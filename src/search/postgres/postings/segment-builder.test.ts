import { describe, expect, test } from 'vitest';
import { analyze } from '../../ranking/analyze.js';
import { hashTerm } from './hash-term.js';
import { findInBucket, readLengths } from './posting-format.js';
import { ScoreWindow } from './score-window.js';
import { type PostedChunk, type PostingRow, SegmentBuilder } from './segment-builder.js';

const toChunk = (terms: string, i: number): PostedChunk => ({
  chunkId: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`,
  documentId: `document-${i % 2}`,
  terms,
  words: '',
  length: analyze(terms).length,
  metadata: {},
});

async function build(texts: string[]) {
  const builder = new SegmentBuilder();
  for (const [i, text] of texts.entries()) builder.add(toChunk(text, i));
  const { rows, chunkIds, chunks, ...segment } = await builder.finish();
  const numbers = Array.from({ length: chunks }, (_, i) =>
    Number(chunkIds.toString('hex', 16 * i + 10, 16 * i + 16)),
  );
  return { ...segment, chunkIds: numbers.map((number) => `chunk-${number}`), rows: [...rows] };
}

function find(rows: PostingRow[], buckets: number, term: string) {
  const hash = hashTerm(term);
  const own = rows.find(({ key }) => key === hash);
  if (own) return { bytes: own.postings, start: 0, end: own.postings.length, count: own.chunks ?? 0 };
  const bucket = rows.find(({ key }) => key === -1 - Math.floor((hash * buckets) / 2 ** 32));
  return bucket && findInBucket(bucket.postings, hash);
}

/** The frequency of a term in each chunk, read back from its postings. */
function frequencies({ rows, buckets, chunkIds }: Awaited<ReturnType<typeof build>>, term: string) {
  const list = find(rows, buckets, term);
  // With this norm a score of f / (f + 1) says the frequency.
  const runs = {
    ends: Uint32Array.of(chunkIds.length),
    norms: Float32Array.of(1),
    single: Float32Array.of(0.5),
  };
  const window = new ScoreWindow(runs, chunkIds.length);
  const found: Record<string, number> = {};
  for (let index = 0; list && window.moveTo(index); index++) {
    window.addScores({ list, weight: 1, bound: window.boundOf({ list, weight: 1 }) }, true);
    for (const [place, score] of window.scores.entries()) {
      if (score > 0) found[`${chunkIds[window.start + place]}`] = Math.round(score / (1 - score));
    }
  }
  return found;
}

describe('a segment', () => {
  test('gives back how often each chunk holds a term', async () => {
    const segment = await build(['heron reed heron heron', 'reed', 'otter', '']);
    expect(frequencies(segment, 'heron')).toEqual({ 'chunk-0': 3 });
    expect(frequencies(segment, 'reed')).toEqual({ 'chunk-0': 1, 'chunk-1': 1 });
    expect(frequencies(segment, 'stork')).toEqual({});
  });

  test('has the characters and pairs of unspaced scripts', async () => {
    const segment = await build(['api 退款退款 now']);
    expect(frequencies(segment, '退')).toEqual({ 'chunk-0': 2 });
    expect(frequencies(segment, '退款')).toEqual({ 'chunk-0': 2 });
    expect(frequencies(segment, '款退')).toEqual({ 'chunk-0': 1 });
    expect(frequencies(segment, '退款退')).toEqual({});
  });

  test('orders its chunks by length', async () => {
    const segment = await build(['a b c', 'a', 'a b c d e', 'a b', 'z']);
    expect(segment.chunkIds).toEqual(['chunk-1', 'chunk-4', 'chunk-3', 'chunk-0', 'chunk-2']);
    expect(readLengths(segment.lengths)).toEqual([
      { length: 1, end: 2 },
      { length: 2, end: 3 },
      { length: 3, end: 4 },
      { length: 5, end: 5 },
    ]);
    expect(segment.length).toBe(12);
    expect(segment.documents).toEqual(
      new Map([
        ['document-0', [1, 3, 4]],
        ['document-1', [0, 2]],
      ]),
    );
  });

  test('gives a frequent term a row of its own, and rare ones rows in common', async () => {
    const texts = Array.from({ length: 3_000 }, (_, i) => `every w${i} ${i % 50 === 0 ? 'some' : ''}`.trim());
    const segment = await build(texts);
    const own = segment.rows.filter(({ key }) => key >= 0);
    expect(own.map(({ key, chunks }) => ({ key, chunks }))).toEqual([
      { key: hashTerm('every'), chunks: 3_000 },
    ]);
    expect(segment.rows).toHaveLength(segment.buckets + 1);
    expect(segment.buckets).toBeGreaterThan(5);
    expect(Object.keys(frequencies(segment, 'every'))).toHaveLength(3_000);
    expect(frequencies(segment, 'w2999')).toEqual({ 'chunk-2999': 1 });
    const some = texts.flatMap((text, i) => (text.endsWith('some') ? [[`chunk-${i}`, 1]] : []));
    expect(frequencies(segment, 'some')).toEqual(Object.fromEntries(some));
  });

  test('of many chunks is the same as the chunks say', async () => {
    const texts = Array.from({ length: 2_000 }, (_, i) =>
      Array.from({ length: 5 + (i % 40) }, (_, j) => `t${(i * 31 + j * j * 7) % (50 + j * 20)}`).join(' '),
    );
    const segment = await build(texts);
    for (const term of ['t0', 't7', 't49', 't311', 't700']) {
      const expected = texts.flatMap((text, i) => {
        const count = text.split(' ').filter((word) => word === term).length;
        return count > 0 ? [[`chunk-${i}`, count]] : [];
      });
      expect(frequencies(segment, term)).toEqual(Object.fromEntries(expected));
    }
  });

  test('counts no more than 255 occurrences', async () => {
    expect(frequencies(await build(['w '.repeat(400).trim()]), 'w')).toEqual({ 'chunk-0': 255 });
  });
});
