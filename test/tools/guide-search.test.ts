import { expect, test } from 'vitest';
// @ts-expect-error A script of the browser, which has no types.
import { findEntries, splitWords } from '../../scripts/docs/assets/find-entries.js';

const entries = [
  { url: 'a.html', page: 'Upgrade', heading: '', text: 'After a backup, start the new version.' },
  { url: 'b.html', page: 'Back up and restore', heading: '', text: 'Makes a backup.' },
  { url: 'b.html#backup', page: 'Back up and restore', heading: 'Backup of files', text: 'Files as well.' },
  { url: 'zh.html', page: '教程', heading: '', text: '用十五分钟上传文档并搜索。' },
];
const find = (question: string): string[] =>
  findEntries(entries, splitWords(question)).map(({ url }: { url: string }) => url);

test('a heading counts more than a text, and a beginning of a word is enough', () => {
  expect(find('backu')).toEqual(['b.html#backup', 'a.html', 'b.html']);
});

test('an entry must have all words, in upper or lower case', () => {
  expect(find('BACKUP Version')).toEqual(['a.html']);
  expect(find('backup elsewhere')).toEqual([]);
});

test('Chinese is found without spaces', () => {
  expect(find('上传文档')).toEqual(['zh.html']);
});

test('no question finds nothing', () => {
  expect(find('  ')).toEqual([]);
});
