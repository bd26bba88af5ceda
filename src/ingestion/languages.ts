import { eld } from 'eld/medium';

/** Characters looked at; taken from the start, the middle and the end of long texts. */
const SAMPLE = 12_000;
/** A language counts when it makes up at least this share of the words. */
const SHARE = 0.2;
const MIN_LETTERS = 12;
/** A Han character carries about as much as two and a half letters of an alphabet. */
const HAN_WEIGHT = 2.5;

/**
 * The languages a text is written in, as ISO 639-1 codes, the largest share first; `[]` when it cannot tell.
 * Scripts decide for Chinese, Japanese and Korean; n-gram statistics for the rest.
 */
export function languages(text: string): string[] {
  const sample = takeSample(text);
  const han = count(sample, /\p{Script=Han}/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const hangul = count(sample, /\p{Script=Hangul}/gu);
  const rest = sample.replace(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu,
    ' ',
  );
  const other = count(rest, /\p{L}/gu);

  const isJapanese = kana > han * 0.1;
  const shares: [string | undefined, number][] = [
    [isJapanese ? 'ja' : 'zh', (han + kana) * HAN_WEIGHT],
    ['ko', hangul * HAN_WEIGHT],
    [other < MIN_LETTERS ? undefined : detectAlphabetic(rest), other],
  ];
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  return shares
    .filter(([code, weight]) => code && weight > 0 && weight >= total * SHARE)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code as string);
}

function detectAlphabetic(text: string): string | undefined {
  const result = eld.detect(text);
  return result.isReliable() ? result.language : undefined;
}

function takeSample(text: string): string {
  if (text.length <= SAMPLE) return text;
  const part = SAMPLE / 3;
  const middle = Math.floor((text.length - part) / 2);
  return `${text.slice(0, part)} ${text.slice(middle, middle + part)} ${text.slice(-part)}`;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
