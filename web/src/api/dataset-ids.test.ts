import { expect, test } from 'vitest';
import { readDatasetParam, readIds, toDatasetParam } from './dataset-ids';

test('ids are read from a list, each once', () => {
  expect(readIds(' faq, manuals，faq,, ')).toEqual(['faq', 'manuals']);
  expect(readIds(' ')).toEqual([]);
});

test('datasets come back from an address as they were, whatever is in their ids', () => {
  for (const ids of [[], ['faq'], ['faq', '手册'], ['a, b', '100 %', '%2C', '甲，乙']]) {
    expect(readDatasetParam(toDatasetParam(ids))).toEqual(ids);
  }
  expect(readDatasetParam('faq, a%b')).toEqual(['faq', 'a%b']);
  expect(readDatasetParam(undefined)).toEqual([]);
});
