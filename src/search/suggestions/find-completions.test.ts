import { expect, test } from 'vitest';
import { findCompletionsInSteps } from './find-completions.js';

const COUNTS = Buffer.alloc(10_000);
const wordOf = (i: number) => `ab${i.toString(36)}`;

test('the most frequent words are found, with a pause after each 50,000 characters at most', () => {
  const perBlock = 1_500;
  const blocks = Array.from({ length: 40 }, (_, block) => ({
    place: 0,
    words: Array.from({ length: perBlock }, (_, i) => wordOf(block * perBlock + i)).join(' '),
    counts: COUNTS,
    isCurrent: true,
  }));
  const frequent = {
    place: 0,
    words: `${wordOf(7)} abacus`,
    counts: Buffer.from([16, 40]),
    isCurrent: false,
  };
  const steps = findCompletionsInSteps('ab', [...blocks, frequent]);
  let pauses = 0;
  let step = steps.next();
  while (!step.done) {
    pauses++;
    step = steps.next();
  }
  const characters = blocks.reduce((sum, { words }) => sum + words.length, 0);
  expect(pauses).toBeGreaterThan(characters / 60_000);
  expect(step.value).toHaveLength(100);
  expect(step.value.slice(0, 3)).toEqual([
    { word: 'abacus', count: 32, isCurrent: false },
    { word: wordOf(7), count: 5, isCurrent: true },
    { word: 'ab0', count: 1, isCurrent: true },
  ]);
});
