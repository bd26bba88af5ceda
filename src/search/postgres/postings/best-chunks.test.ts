import { expect, test } from 'vitest';
import { lengthNorm } from '../../ranking/bm25.js';
import { findBestChunks, findMatching } from './best-chunks.js';
import { hashTerm } from './hash-term.js';
import { findInBucket, type PostingList } from './posting-format.js';
import { SegmentBuilder } from './segment-builder.js';

/** More than two windows. */
const CHUNKS = 10_000;
const TERMS = ['common', 'other', 'rare'];
const WEIGHTS = [0.4, 1.5, 5];
const corpus = { averageLength: 4 };

/** How often each term is in a chunk; the length is that of all words. */
const countsOf = (i: number) => [i % 2 === 0 ? 1 + (i % 3) : 0, i % 7 === 0 ? 1 : 0, i % 411 === 5 ? 2 : 0];
const wordsOf = (i: number) => [
  ...countsOf(i).flatMap((count, place) => Array<string>(count).fill(TERMS[place] as string)),
  ...Array<string>(i % 6).fill('filler'),
];

async function build(chunks: number[]) {
  const builder = new SegmentBuilder();
  for (const i of chunks) {
    const words = wordsOf(i);
    builder.add({
      chunkId: `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`,
      documentId: 'document',
      terms: words.join(' '),
      words: '',
      length: words.length,
      metadata: {},
    });
  }
  const { rows, buckets, chunkIds, lengths } = await builder.finish();
  const all = [...rows];
  const find = (hash: number): PostingList | undefined => {
    const own = all.find(({ key }) => key === hash)?.postings;
    if (own) return { bytes: own, start: 0, end: own.length, count: 0 };
    const bucket = all.find(({ key }) => key === -1 - Math.floor((hash * buckets) / 2 ** 32));
    return bucket && findInBucket(bucket.postings, hash);
  };
  const postings = new Map<number, PostingList>();
  for (const [place, term] of TERMS.entries()) {
    const list = find(hashTerm(term));
    if (list) postings.set(place, list);
  }
  const numbers = chunks.map((_, ordinal) =>
    Number(chunkIds.toString('hex', 16 * ordinal + 10, 16 * ordinal + 16)),
  );
  return { segment: { chunks: chunks.length, lengths, postings }, numbers };
}

const all = Array.from({ length: CHUNKS }, (_, i) => i);
const [first, second] = await Promise.all([build(all.slice(0, 9_000)), build(all.slice(9_000))]);
const numbers = [first.numbers, second.numbers];
const asked = {
  segments: [first, second].map(({ segment }, id) => ({ id, ...segment })),
  weights: { terms: WEIGHTS, pairs: [], choices: [] },
  corpus,
};

const scoreOf = (i: number) => {
  const norm = lengthNorm(wordsOf(i).length, corpus);
  return countsOf(i).reduce(
    (sum, count, term) => sum + ((WEIGHTS[term] as number) * count) / (count + norm),
    0,
  );
};
const numberAt = ({ segmentId, ordinal }: { segmentId: number; ordinal: number }) =>
  numbers[segmentId]?.[ordinal] as number;

const everyThird = new Map(
  numbers.map((ofSegment, id) => [
    id,
    Uint32Array.from(ofSegment.flatMap((number, ordinal) => (number % 3 === 0 ? [ordinal] : []))),
  ]),
);

test.each([
  { what: 'all chunks', ordinals: undefined, isAsked: () => true },
  { what: 'some chunks', ordinals: everyThird, isAsked: (i: number) => i % 3 === 0 },
])('of $what, those are found whose scores are the highest', async ({ ordinals, isAsked }) => {
  for (const count of [1, 10, 100, 3_000]) {
    const expected = all
      .filter(isAsked)
      .map(scoreOf)
      .filter((score) => score > 0);
    expected.sort((a, b) => b - a);
    const best = await findBestChunks({ ...asked, ordinals }, count);
    const found = best.map(numberAt);
    expect(found.every(isAsked)).toBe(true);
    expect(new Set(found).size).toBe(found.length);
    const scores = found.map((number) => scoreOf(number).toFixed(4));
    expect(scores).toEqual(expected.slice(0, count).map((score) => score.toFixed(4)));
  }
});

test('of equal ones in a segment, the first are found', async () => {
  const { segments } = asked;
  const best = await findBestChunks(
    { ...asked, segments: segments.slice(0, 1), weights: { ...asked.weights, terms: [0, 1, 0] } },
    50,
  );
  const ordinals = best.map(({ ordinal }) => ordinal);
  const matching = [...(findMatching({ ...asked, segments: segments.slice(0, 1) }).get(0) ?? [])];
  const withTerm = matching.filter((ordinal) => (countsOf(first.numbers[ordinal] as number)[1] ?? 0) > 0);
  expect(ordinals).toEqual(withTerm.slice(0, 50));
});

test('all are found that have a word', () => {
  const found = [...findMatching(asked)].flatMap(([segmentId, ordinals]) =>
    [...ordinals].map((ordinal) => numberAt({ segmentId, ordinal })),
  );
  expect(found.sort((a, b) => a - b)).toEqual(all.filter((i) => scoreOf(i) > 0));
});
