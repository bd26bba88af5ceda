import { expect, test } from 'vitest';
import { plainExcerpt } from './plain-excerpt';

test.each([
  ['# Returns\n\nGoods **can** be _sent_ back.', 'Returns Goods can be sent back.'],
  ['| Zone | Fee |\n|---|---:|\n| North | `4` euros |', 'Zone Fee North 4 euros'],
  ['- one\n* two\n3. three\n> four', 'one two three four'],
  ['See [the **rules**](https://rules.test/a_b) and ![a map](map.png).', 'See the rules and a map.'],
  ['max_size is 2 * 3, see [1]', 'max_size is 2 * 3, see [1]'],
  ['退货~~不~~免运费', '退货不免运费'],
])('%j reads %j', (markdown, text) => {
  expect(plainExcerpt(markdown).text).toBe(text);
});

test('marks stay at their words', () => {
  const source = '## Fees\n\n**Parcels** to [zone *one*](/a)';
  const at = (word: string) => [source.indexOf(word), source.indexOf(word) + word.length] as const;
  const { text, marks } = plainExcerpt(source, [at('Parcels'), at('one*')]);
  expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Parcels', 'one']);
});

test.each(['[', '](', '_', '*', ' ', '|', '#', '\n-', '![a'])('many of %j take no time', (sign) => {
  const started = performance.now();
  plainExcerpt(sign.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(200);
});
