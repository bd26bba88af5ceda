import { expect, test } from 'vitest';
import { wordOf } from './word-of';

test('a stem is shown as the word of the question that it is from', () => {
  const question = 'Who pays the Postage of studies, and the post? 押金 run';
  const shown = ['postag', 'studi', 'post', 'pay', '押金', 'ru', 'refund'].map((term) =>
    wordOf(term, question),
  );
  expect(shown).toEqual(['postage', 'studies', 'post', 'pays', '押金', 'ru', 'refund']);
});
