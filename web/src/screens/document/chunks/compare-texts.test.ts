import { expect, test } from 'vitest';
import { compareTexts } from './compare-texts';

test('tells which words changed, and loses no character', () => {
  expect(compareTexts('We pay  the postage.', 'We pay  half the postage.')).toEqual([
    { kind: 'same', text: 'We pay  ' },
    { kind: 'added', text: 'half ' },
    { kind: 'same', text: 'the postage.' },
  ]);
  expect(compareTexts('押金将在三十天内退还。', '押金将在十天内退还。')?.map(({ kind }) => kind)).toEqual([
    'same',
    'removed',
    'added',
    'same',
  ]);
  expect(compareTexts('', '')).toEqual([]);
});

test('gives up on texts that have little in common', () => {
  const words = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`).join(' ');
  expect(compareTexts(words('a'), words('b'))).toBeUndefined();
});
