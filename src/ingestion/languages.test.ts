import { expect, it } from 'vitest';
import { languages } from './languages.js';

it.each([
  ['The gateway stores documents and their chunks for search.', ['en']],
  ['知识库把文件变成文字，再切成小段，供人查找。', ['zh']],
  ['系统通过 API 提供查找，结果包含页码和段落。', ['zh']],
  ['これは日本語の文章です。漢字も使います。', ['ja']],
  ['이 문서는 한국어로 작성되었습니다.', ['ko']],
  ['Größere Änderungen müssen schriftlich vereinbart werden, sonst gelten sie nicht.', ['de']],
  ['12 / 34 = ?', []],
  ['', []],
])('%s', (text, expected) => expect(languages(text)).toEqual(expected));

it('names both languages of a mixed text, the larger share first', () => {
  const english = 'The gateway stores documents and their chunks for search. ';
  expect(languages(`${english.repeat(3)}知识库把文件变成文字，再切成小段，供人查找。`.repeat(2))).toEqual([
    'en',
    'zh',
  ]);
  expect(languages(`${english}${'知识库把文件变成文字，再切成小段，供人查找。'.repeat(3)}`)).toEqual([
    'zh',
    'en',
  ]);
});
