import { expect, test } from 'vitest';
import { editDistance } from '../../search/typos/edit-distance.js';
import { mistype } from './mistype.js';

const QUESTION = 'Who pays for damage to the property? 谁承担损坏';
const wordsOf = (text: string) => text.split(/[ ?]+/);

test.each([0, 1, 2, 3])('%i words of a question get an error, the same each time', (count) => {
  for (let i = 0; i < 200; i++) {
    const question = `${i} ${QUESTION}`;
    const typed = mistype(question, count);
    expect(mistype(question, count)).toBe(typed);
    const words = wordsOf(question);
    const changed = wordsOf(typed).filter((word, place) => word !== words[place]);
    expect(changed).toHaveLength(count);
    for (const [place, word] of wordsOf(typed).entries())
      expect(editDistance(words[place] as string, word, 3)).toBeLessThanOrEqual(1);
  }
});

test('neither stop words nor short ones nor codes get one', () => {
  for (const text of ['which are those that have been', 'a cat sat', 'E-4711', '谁承担损坏'])
    expect(mistype(text, 2)).toBe(text);
});

test('a question with fewer words gets an error in each of them', () => {
  expect(wordsOf(mistype('the property', 5))).toEqual(['the', expect.not.stringMatching(/^property$/)]);
});
