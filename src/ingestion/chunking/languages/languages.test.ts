import { expect, it } from 'vitest';
import { detectCommonLanguages, detectLanguages } from './languages.js';

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
])('%s', (text, expected) => expect(detectLanguages(text)).toEqual(expected));

it('names both languages of a mixed text, the larger share first', () => {
  const english = 'The gateway stores documents and their chunks for search. ';
  expect(
    detectLanguages(`${english.repeat(3)}知识库把文件变成文字，再切成小段，供人查找。`.repeat(2)),
  ).toEqual(['en', 'zh']);
  expect(detectLanguages(`${english}${'知识库把文件变成文字，再切成小段，供人查找。'.repeat(3)}`)).toEqual([
    'zh',
    'en',
  ]);
});

it('names the languages of one alphabet that a text is written in', () => {
  const english =
    'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience.';
  const spanish =
    'Todos los seres humanos nacen libres e iguales en dignidad y derechos y están dotados de razón y conciencia.';
  expect(detectLanguages(`${english} ${english}\n\n${spanish}`)).toEqual(['en', 'es']);
  expect(detectLanguages(`${english} ${english}\n\n${spanish}`, ['en'])).toEqual(['en', 'es']);
  expect(detectLanguages(`${spanish} ${spanish} ${english}`, ['en'])).toEqual(['es', 'en']);
});

it.each([
  'Main document',
  'Lorem ipsum dolor sit amet.\n\n| Header row | Mon | Wed | Fri |\n| --- | --- | --- | --- |\n| Color | Blue | Red | Green |\n' +
    '| Time | 1pm | 2pm | 3pm |\n| Leader | Sarah | Mark | Ryan |',
])('wants more evidence for a less common language: %s', (text) => {
  expect(detectLanguages(text)).toEqual(['en']);
});

it('takes no codes for words', () => {
  expect(detectLanguages('知识库 A1B2C3D4E5F6G7H8J9 KLMNOPQRS1')).toEqual(['zh']);
  expect(detectLanguages('A1B2C3D4E5F6G7H8J9 KLMNOPQRS1')).toEqual([]);
});

it('takes the language of the text around where this one tells too little', () => {
  expect(detectLanguages('12 / 34', ['de'])).toEqual(['de']);
  expect(detectLanguages('Herr Müller, Köln', ['de'])).toEqual(['de']);
  expect(detectLanguages('東京都', ['ja'])).toEqual(['ja']);
  const names =
    'Natasha, Pierre, Boris, Helene, Anatole, Dolokhov, Denisov, Rostov, Bolkonsky, Kutuzov, Bagration';
  expect(detectLanguages(names, ['en'])).toEqual(['en']);
});

it('believes a text that is clearly in another language than those around it', () => {
  const german =
    'Die Parteien vereinbaren, dass alle Änderungen des Vertrages schriftlich erfolgen müssen und ';
  expect(detectLanguages(`${german}nur dann gültig sind.`, ['en'])).toEqual(['de']);
  expect(detectLanguages('知识库把文件变成文字。', ['en'])).toEqual(['zh']);
});

it('names the languages of a document by what its parts are written in', () => {
  const english = 'The gateway stores documents and their chunks for search.';
  const spanish = 'El sistema guarda los documentos y sus partes para la búsqueda.';
  expect(detectCommonLanguages([english, spanish, english, english])).toEqual(['en', 'es']);
  expect(detectCommonLanguages([])).toEqual([]);
});
