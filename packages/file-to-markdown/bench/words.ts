import { nfkc } from '../src/nfkc.js';

/** How often each word occurs. */
export type Words = ReadonlyMap<string, number>;

/** What a word is made of; scripts without spaces count by character. */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}])+/gu;
const LINK_TARGET = /(?<=\])\([^()\n]*\)/g;
const TAG =
  /<\/?(?:a|b|br|em|i|p|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|div|mark|del|ins)\b[^<>\n]*>/g;
const MARKUP_OR_INVISIBLE = /[*`~\\\u00ad\u200b-\u200f\u2060\ufeff]/g;
/** A word that a line break divides. */
const HYPHENATION = /(?<=\p{Ll})[-‐]\n(?=\p{Ll})/gu;
const ENTITIES: [RegExp, string][] = [
  [/&nbsp;/g, ' '],
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&amp;/g, '&'],
];

/** The words of plain text or Markdown in lower case, without marks of emphasis and targets of links. */
export function countWords(text: string): Words {
  let plain = text
    .replace(LINK_TARGET, ' ')
    .replace(TAG, (tag) => (/^<\/?(?:b|em|i|s|span|strong|sub|sup|u|a)\b/.test(tag) ? '' : ' '));
  for (const [entity, character] of ENTITIES) plain = plain.replace(entity, character);
  plain = plain.replace(MARKUP_OR_INVISIBLE, '').replace(HYPHENATION, '');
  const words = new Map<string, number>();
  for (const [word] of nfkc(plain).toLowerCase().matchAll(WORD)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

export function totalOf(words: Words): number {
  let total = 0;
  for (const count of words.values()) total += count;
  return total;
}

/** Each word as often as it is in both. */
export function commonWords(a: Words, b: Words): Words {
  return combine(a, b, Math.min);
}

/** Each word as often as in the one that has more of it. */
export function allWords(a: Words, b: Words): Words {
  return combine(a, b, Math.max);
}

export function addWords(a: Words, b: Words): Words {
  return combine(a, b, (inA, inB) => inA + inB);
}

function combine(a: Words, b: Words, choose: (inA: number, inB: number) => number): Words {
  const words = new Map<string, number>();
  for (const word of new Set([...a.keys(), ...b.keys()])) {
    const count = choose(a.get(word) ?? 0, b.get(word) ?? 0);
    if (count > 0) words.set(word, count);
  }
  return words;
}
