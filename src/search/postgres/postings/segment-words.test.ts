import { expect, test } from 'vitest';
import { analyzeChunk } from '../../indexing/chunk-terms.js';
import { readStoredWords } from '../../indexing/chunk-words.js';
import { countOf, SegmentWords } from './segment-words.js';

const wordsOf = (content: string) =>
  readStoredWords(analyzeChunk({ content, contentComplement: '', keywords: {} }));

/** With how many chunks hold each. */
function collect(chunks: Iterable<string>[]): [string, number][] {
  const words = new SegmentWords();
  for (const chunk of chunks) words.add(chunk);
  return [...words.rows()].flatMap((row) => {
    const block = row.words.split(' ');
    expect(row.firstWord).toBe(block[0]);
    return block.map((word, i): [string, number] => [word, countOf(row.counts[i] as number)]);
  });
}

test('a chunk keeps its words as they are written, each once', () => {
  expect([...wordsOf('The claims: claiming a claim, the Claims!')].sort()).toEqual([
    'a',
    'claim',
    'claiming',
    'claims',
    'the',
  ]);
  expect([...wordsOf('Münchens Straßen, 北京 2024')].sort()).toEqual(['2024', 'munchens', 'straßen']);
});

test('a segment has the words of its chunks, sorted, with their number of chunks', () => {
  expect(
    collect([wordsOf('claims of damage'), wordsOf('Claims, no damages'), wordsOf('claims 12 x9 ab')]),
  ).toEqual([
    ['claims', expect.closeTo(3, 0)],
    ['damage', 1],
    ['damages', 1],
  ]);
});

test('many words are cut into blocks, in order', () => {
  const all = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}x`);
  expect(collect([all]).map(([word]) => word)).toEqual(all.toSorted());
});

test('too many words lose the rare ones', () => {
  const rare = Array.from({ length: 250_000 }, (_, i) => `rare${i.toString(36)}`);
  const found = collect([['frequent'], ['frequent'], rare, ['frequent', 'new']]);
  expect(found.map(([word]) => word)).toEqual(['frequent', 'new']);
});
