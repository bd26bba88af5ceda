import { expect, test } from 'vitest';
import { createTextPlaces } from './place-texts';

test('finds texts again behind their markup, in order', () => {
  const source = '# A *b*\n\nb and b';
  const places = createTextPlaces(source);
  places.skipTo(0, 1);
  expect([places.find('A '), places.find('b')]).toEqual([2, 5]);
  places.skipTo(2, 3);
  expect(places.find('b and b')).toBe(9);
});

test('a text that is not there as it is takes no place of a later block', () => {
  const source = '| max\\_size | the limit |\n\nSome text.\n\nSet `max_size`.';
  const places = createTextPlaces(source);
  places.skipTo(0, 1);
  expect(places.find('max_size')).toBe(0);
  expect(places.find('the limit')).toBe(source.indexOf('the limit'));
  places.skipTo(2, 3);
  expect(places.find('Some text.')).toBe(source.indexOf('Some text.'));
  places.skipTo(4, 5);
  expect([places.find('Set '), places.find('max_size')]).toEqual([
    source.indexOf('Set '),
    source.lastIndexOf('max_size'),
  ]);
});
