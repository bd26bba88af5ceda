import { describe, expect, it } from 'vitest';
import { balanced, scoreWords } from './score.js';
import { countWords } from './words.js';

describe('words', () => {
  it.each([
    ['one case and form', 'Fee FEE ﬁne', ['fee', 'fee', 'fine']],
    ['marks of emphasis within a word', '**Har**bour ~~dues~~', ['harbour', 'dues']],
    ['links without their targets', '[rules](https://lectern.test/rules)', ['rules']],
    ['tags and entities', 'a<br>b &amp; H<sub>2</sub>O', ['a', 'b', 'h2o']],
    ['a word that a line break divides', 'har-\nbour', ['harbour']],
    ['Chinese and Japanese by character', '泊位 A1 ふね', ['泊', '位', 'a1', 'ふ', 'ね']],
  ])('%s', (_, text, words) => {
    const counted = [...countWords(text)].flatMap(([word, count]) => Array<string>(count).fill(word));
    expect(counted.sort()).toEqual(words.sort());
  });
});

describe('a score', () => {
  const truth = { required: countWords('one two two three'), allowed: countWords('note') };

  it('counts each word as often as it is required', () => {
    expect(scoreWords(countWords('one two'), truth)).toEqual({ recall: 0.5, precision: 1 });
    expect(scoreWords(countWords('one one two two three three'), truth)).toEqual({
      recall: 1,
      precision: 4 / 6,
    });
  });

  it('neither asks for what is allowed nor counts it as wrong', () => {
    expect(scoreWords(countWords('one two two three note'), truth)).toEqual({ recall: 1, precision: 1 });
  });

  it('is 0 for nothing', () => {
    expect(balanced(scoreWords(countWords(''), truth))).toBe(0);
  });
});
