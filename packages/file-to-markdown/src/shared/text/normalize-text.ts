import { nfkc } from '../../nfkc.js';
import { foldRadicals } from './cjk-radicals.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be removed
const UNSTORABLE = /[\u0000-\u0008\u000b\u000e-\u001f\u007f\ufeff\ufffe\uffff]/g;
/** Private to a font, not assigned, or controls of old terminals: nothing that a reader has seen as text. */
const NOT_TEXT = /[\p{Co}\p{Cn}\u0080-\u009f]/gu;
const HAN = '\\p{Script=Han}\u3000-\u303f\uff00-\uffef';
const GAP_BETWEEN_HAN = new RegExp(`(?<=[${HAN}])[ \\t\u00a0]+(?=[${HAN}])`, 'gu');

/**
 * Text as it may be stored: no NUL or other control characters, no byte order marks, no lone surrogates
 * (PostgreSQL refuses NUL and unpaired surrogates), lines ended by `\n`, form feeds as paragraph breaks.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028/g, '\n')
    .replace(/\f|\u2029/g, '\n\n')
    .replace(UNSTORABLE, '');
}

/**
 * Text taken from positioned glyphs (PDF): compatibility forms folded (NFKC: ligatures, full-width Latin,
 * radicals), soft hyphens and what only the font knows gone, and no blanks between Han characters, which are only letter spacing.
 * Punctuation that is full-width in Chinese stays so: NFKC would turn `，！？；：（）` into ASCII, and the
 * sentence rules need them.
 */
export function normalizeGlyphText(text: string): string {
  return foldRadicals(cleanText(text))
    .replace(/\u00ad/g, '')
    .replace(NOT_TEXT, '')
    .replace(/[^，！？；：（）％]+/g, nfkc)
    .replace(GAP_BETWEEN_HAN, '')
    .replace(/[ \t\u00a0]+/g, ' ');
}

/** Whether the character at a line's edge is written without spaces around it (Han, kana, their punctuation). */
export function isUnspaced(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(character);
}
