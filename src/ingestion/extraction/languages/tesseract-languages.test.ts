import { expect, test } from 'vitest';
import { toTesseractLanguage } from './tesseract-languages.js';

test.each([
  ['en', 'eng'],
  ['de', 'deu'],
  ['de-CH', 'deu'],
  ['EN-us', 'eng'],
  ['zh', 'chi_sim'],
  ['zh-Hans', 'chi_sim'],
  ['zh-Hant', 'chi_tra'],
  ['zh-TW', 'chi_tra'],
  ['zh-HK', 'chi_tra'],
  ['sr', 'srp'],
  ['sr-Latn', 'srp_latn'],
  ['uz-Cyrl', 'uzb_cyrl'],
  ['nb', 'nor'],
  ['iw', 'heb'],
  ['tl', 'fil'],
])('%s is %s', (tag, name) => expect(toTesseractLanguage(tag)).toBe(name));

test.each(['', 'e', 'english', 'eng+deu', 'xx', 'de_DE', '../eng', 'constructor'])(
  'there is no language %j',
  (tag) => expect(toTesseractLanguage(tag)).toBeUndefined(),
);
