import { describe, expect, test } from 'vitest';
import { extractKeywords, extractKeywordsInSteps } from '../ingestion/chunking/keywords/keywords.js';
import { analyzeChunk, analyzeChunkInSteps } from '../search/indexing/chunk-terms.js';
import { countTermsInSteps } from '../search/ranking/count-terms.js';
import { runYielding, type Steps } from './steps.js';

/** The longest text of a chunk. */
const LONGEST = 32_768;
const repeated = (text: string) => text.repeat(Math.ceil(LONGEST / text.length)).slice(0, LONGEST);
const TEXTS: [string, string][] = [
  ['English', repeated('The quick brown foxes jumped over seventeen lazy dogs near the river bank. ')],
  ['single letters', repeated('a b c d e f g ')],
  ['Chinese', repeated('知识图谱的构建方法与应用，在企业管理中越来越重要。')],
  ['Chinese without punctuation', repeated('知识图谱的构建方法与应用')],
  ['Japanese', repeated('東京の天気は晴れのち曇りでしょう。')],
  ['Thai', repeated('ประเทศไทยมีประชากรมาก ')],
  ['markup', repeated('| 1,234.56 | **foo**-bar_baz | ')],
];

function countSteps(steps: Steps<unknown>): number {
  let count = 1;
  while (!steps.next().done) count++;
  return count;
}

describe.each(TEXTS)('the longest text, %s', (_name, content) => {
  const chunk = { content, contentComplement: '', keywords: {} };
  const words = content.match(/[\p{L}\p{N}\p{M}]+/gu)?.length ?? 0;

  test('is analyzed at most 500 words at a time', async () => {
    expect(countSteps(analyzeChunkInSteps(chunk))).toBeGreaterThanOrEqual(words / 500);
    expect(await runYielding(analyzeChunkInSteps(chunk))).toEqual(analyzeChunk(chunk));
  });

  test('has its keywords extracted at most 1,000 characters at a time', async () => {
    expect(countSteps(extractKeywordsInSteps(content))).toBeGreaterThanOrEqual(3);
    expect(await runYielding(extractKeywordsInSteps(content))).toEqual(extractKeywords(content));
  });
});

describe('the terms and pairs of a query are counted in half a million characters at a time', () => {
  const terms = Array.from({ length: 25 }, (_, i) => `term${i}`);
  const words = { terms, counts: terms.map(() => 1), pairs: [], pairCounts: [] };
  const neighbours = terms.slice(1).map((_, i): [number, number] => [i, i + 1]);
  const pairs = { ...words, pairs: neighbours, pairCounts: neighbours.map(() => 1) };
  const ofChunks = (count: number, text: string) =>
    Array.from({ length: count }, (_, i) => ({ chunkId: `chunk ${i}`, length: 4_000, terms: text }));

  test.each([
    ['of many chunks', words, ofChunks(200, repeated('some words of a chunk '))],
    ['of one chunk', words, ofChunks(1, 'a '.repeat(LONGEST))],
    ['of one chunk that has all of them', pairs, ofChunks(1, repeated(`${terms.join(' ')} `))],
  ])('%s', (_name, query, chunks) => {
    const looked = (query.terms.length + query.pairs.length) * chunks.length * (chunks[0]?.terms.length ?? 0);
    expect(countSteps(countTermsInSteps(query, chunks))).toBeGreaterThanOrEqual(looked / 600_000);
  });
});

test('other work is done between steps', async () => {
  const done: string[] = [];
  function* work(name: string): Steps<void> {
    for (let step = 0; step < 3; step++) {
      done.push(name);
      yield;
    }
  }
  await Promise.all([runYielding(work('a')), runYielding(work('b'))]);
  expect(done).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
});
