import { eld } from 'eld/medium';

/** Characters looked at; taken from the start, the middle and the end of long texts. */
const SAMPLE = 3_000;
/** What the detector for alphabets is given; more makes it slower rather than surer. */
const ALPHABETIC_SAMPLE = 500;
/** A language counts when it makes up at least this share of the words. */
const SHARE = 0.2;
const MIN_LETTERS = 12;
/** Below this many letters the text around knows better than the detector. */
const TELLING_LETTERS = 50;
/** A language that is expected is believed when it comes this close to the best guess. */
const CLOSE = 0.9;
/** A Han character carries about as much as two and a half letters of an alphabet. */
const HAN_WEIGHT = 2.5;

const NO_ALPHABET = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const NO_WORDS = /(?:https?:\/\/|www\.)\S+|\S+@\S+|<[^<>]{1,200}>|[|#*_`~>\d]+/g;

/**
 * The languages a text is written in, as ISO 639-1 codes, the largest share first; `[]` when it cannot tell.
 * Scripts decide for Chinese, Japanese and Korean; n-gram statistics for the rest.
 *
 * @param expected languages of the text around: they stand where this text is too short or too odd to tell
 */
export function languages(text: string, expected: readonly string[] = []): string[] {
  const sample = takeSample(text);
  const { han, kana, hangul, other } = countScripts(sample);
  const rest = other === 0 || han + kana + hangul === 0 ? sample : sample.replace(NO_ALPHABET, ' ');

  const isJapanese = kana > han * 0.1 || (kana > 0 && expected.includes('ja'));
  const isHanJapanese = kana === 0 && expected[0] === 'ja' && han < TELLING_LETTERS;
  const shares: [string | undefined, number][] = [
    [isJapanese || isHanJapanese ? 'ja' : 'zh', (han + kana) * HAN_WEIGHT],
    ['ko', hangul * HAN_WEIGHT],
    [other < MIN_LETTERS ? undefined : detectAlphabetic(rest, other, expected), other],
  ];
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  const found = shares
    .filter(([code, weight]) => code && weight > 0 && weight >= total * SHARE)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code as string);
  return found.length > 0 ? found : [...expected];
}

/** The languages that make up most of some texts of one document. */
export function commonLanguages(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const code of languages(text)) counts.set(code, (counts.get(code) ?? 0) + text.length);
  }
  const total = [...counts.values()].reduce((sum, length) => sum + length, 0);
  return [...counts]
    .filter(([, length]) => length >= total * SHARE)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code);
}

function detectAlphabetic(text: string, letters: number, expected: readonly string[]): string | undefined {
  const words = text.replace(NO_WORDS, ' ').replace(/\s+/g, ' ').trim();
  const start = Math.max(0, Math.floor((words.length - ALPHABETIC_SAMPLE) / 2));
  const result = eld.detect(words.slice(start, start + ALPHABETIC_SAMPLE));
  const likely = expected.find((code) => !UNSPACED.has(code));
  if (likely === undefined) return result.isReliable() ? result.language : undefined;
  if (letters < TELLING_LETTERS || !result.isReliable()) return likely;
  if (expected.includes(result.language)) return result.language;
  const scores = result.getScores() as Record<string, number | undefined>;
  const isClose = (scores[likely] ?? 0) >= (scores[result.language] ?? 0) * CLOSE;
  return isClose ? likely : result.language;
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
