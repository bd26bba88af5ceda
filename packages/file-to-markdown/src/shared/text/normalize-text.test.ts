import { expect, it } from 'vitest';
import { cleanText, normalizeGlyphText } from './normalize-text.js';

it('removes what PostgreSQL cannot store', () => {
  const cleaned = cleanText('a\u0000b\ud800c\udc00d😀\ufeff\u0007');
  expect(cleaned).toBe('ab\ufffdc\ufffdd😀');
});

it('ends lines by \\n and makes form feeds paragraph breaks', () => {
  expect(cleanText('a\r\nb\rc\fd\u2028e')).toBe('a\nb\nc\n\nd\ne');
});

it('drops what only a font knows from glyph text', () => {
  expect(normalizeGlyphText('Indonesia \u{f03d9} a\ue000b\u0378c\u0091d 🇮🇩')).toBe('Indonesia abcd 🇮🇩');
});

it('folds glyph text, but keeps Chinese punctuation', () => {
  expect(normalizeGlyphText('ﬁne　Ａ1 co\u00adop  x')).toBe('fine A1 coop x');
  expect(normalizeGlyphText('中 文 ， 很 好 ！ ⽂件 Word 文件')).toBe('中文，很好！文件 Word 文件');
});

it('takes radicals for the characters that they look like', () => {
  expect(normalizeGlyphText('⻓按⻅红灯，⻔内⾸⻚')).toBe('长按见红灯，门内首页');
});
