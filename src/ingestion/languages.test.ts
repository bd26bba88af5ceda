import { expect, it } from 'vitest';
import { commonLanguages, languages } from './languages.js';

it.each([
  ['The gateway stores documents and their chunks for search.', ['en']],
  ['知识库把文件变成文字，再切成小段，供人查找。', ['zh']],
  ['系统通过 API 提供查找，结果包含页码和段落。', ['zh']],
  ['これは日本語の文章です。漢字も使います。', ['ja']],
  ['이 문서는 한국어로 작성되었습니다.', ['ko']],
  ['Größere Änderungen müssen schriftlich vereinbart werden, sonst gelten sie nicht.', ['de']],
  ['El contrato se regirá por las leyes del país en el que se firme.', ['es']],
  ['Документы разбиваются на части, по которым ведётся поиск.', ['ru']],
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

it('takes the language of the text around where this one tells too little', () => {
  expect(languages('12 / 34', ['de'])).toEqual(['de']);
  expect(languages('Herr Müller, Köln', ['de'])).toEqual(['de']);
  expect(languages('東京都', ['ja'])).toEqual(['ja']);
  const names =
    'Natasha, Pierre, Boris, Helene, Anatole, Dolokhov, Denisov, Rostov, Bolkonsky, Kutuzov, Bagration';
  expect(languages(names, ['en'])).toEqual(['en']);
});

it('believes a text that is clearly in another language than those around it', () => {
  const german =
    'Die Parteien vereinbaren, dass alle Änderungen des Vertrages schriftlich erfolgen müssen und ';
  expect(languages(`${german}nur dann gültig sind.`, ['en'])).toEqual(['de']);
  expect(languages('知识库把文件变成文字。', ['en'])).toEqual(['zh']);
});

it('names the languages of a document by what its parts are written in', () => {
  const english = 'The gateway stores documents and their chunks for search.';
  const spanish = 'El sistema guarda los documentos y sus partes para la búsqueda.';
  expect(commonLanguages([english, spanish, english, english])).toEqual(['en', 'es']);
  expect(commonLanguages([])).toEqual([]);
});
