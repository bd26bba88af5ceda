import { detectAlphabeticLanguages } from './alphabetic.js';

/** Characters looked at; taken from the start, the middle and the end of long texts. */
const SAMPLE = 3_000;
/** A language counts when it makes up at least this share of the words. */
const MIN_SHARE = 0.2;
const MIN_LETTERS = 12;
/** With fewer Han characters, Chinese and Japanese without kana look the same. */
const MIN_HAN = 50;
/** A Han character carries about as much as two and a half letters of an alphabet. */
const HAN_WEIGHT = 2.5;

type Share = [language: string | undefined, letters: number];

const NO_ALPHABET = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

/**
 * The languages a text is written in, as ISO 639-1 codes, the largest share first; `[]` when undetermined.
 * Scripts decide for Chinese, Japanese and Korean; n-gram statistics, asked about several places, for the
 * rest.
 *
 * @param expected languages of the surrounding text: used when this one is too short to classify
 */
export function detectLanguages(text: string, expected: readonly string[] = []): string[] {
  const sample = takeSample(text);
  const { han, kana, hangul, other } = countScripts(sample);
  const rest = other === 0 || han + kana + hangul === 0 ? sample : sample.replace(NO_ALPHABET, ' ');

  const isJapanese = kana > han * 0.1 || (kana > 0 && expected.includes('ja'));
  const isHanJapanese = kana === 0 && expected[0] === 'ja' && han < MIN_HAN;
  const shares: Share[] = [
    [isJapanese || isHanJapanese ? 'ja' : 'zh', (han + kana) * HAN_WEIGHT],
    ['ko', hangul * HAN_WEIGHT],
    ...alphabeticShares(rest, other, expected),
  ];
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  const found = shares
    .filter(([code, weight]) => code && weight > 0 && weight >= total * MIN_SHARE)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code as string);
  return found.length > 0 ? found : [...expected];
}

/** The languages that make up most of some texts of one document. */
export function detectCommonLanguages(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const code of detectLanguages(text)) counts.set(code, (counts.get(code) ?? 0) + text.length);
  }
  const total = [...counts.values()].reduce((sum, length) => sum + length, 0);
  return [...counts]
    .filter(([, length]) => length >= total * MIN_SHARE)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code);
}

function alphabeticShares(text: string, letters: number, expected: readonly string[]): Share[] {
  if (letters < MIN_LETTERS) return [[undefined, letters]];
  const found = detectAlphabeticLanguages(
    text,
    expected.filter((code) => !UNSPACED.has(code)),
  );
  const sampled = [...found.values()].reduce((sum, weight) => sum + weight, 0);
  return [...found].map(([code, weight]) => [code, (weight / Math.max(1, sampled)) * letters]);
}

const UNSPACED: ReadonlySet<string> = new Set(['zh', 'ja', 'ko']);

function takeSample(text: string): string {
  if (text.length <= SAMPLE) return text;
  const part = SAMPLE / 3;
  const middle = Math.floor((text.length - part) / 2);
  return `${text.slice(0, part)} ${text.slice(middle, middle + part)} ${text.slice(-part)}`;
}

function countScripts(text: string): Record<'han' | 'kana' | 'hangul' | 'other', number> {
  const counts = { han: 0, kana: 0, hangul: 0, other: 0 };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) counts.other += (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? 1 : 0;
    else if (code >= 0xc0 && code < 0x2000) counts.other++;
    else if (code >= 0x3040 && code < 0x3100) counts.kana++;
    else if (code >= 0x3400 && code < 0xa000) counts.han++;
    else if (code >= 0xac00 && code < 0xd7b0) counts.hangul++;
  }
  return counts;
}
