import { expect, test } from 'vitest';
import { cpuTime } from '../../../packages/file-to-markdown/test/support/cpu-time.js';
import { runAtOnce } from '../../async/steps.js';
import { RUN, tokenize, tokenOf, WORD } from './analyze.js';
import { markTermsInSteps } from './mark-terms.js';
import { normalizeInSteps } from './normal-form.js';
import { parseQuery } from './query-terms.js';

const find = (question: string, text: string, language: 'english' | 'chinese' = 'english') =>
  runAtOnce(markTermsInSteps(new Set(parseQuery({ text: question, language }).terms), text));

/** The text with what is marked in brackets. */
function marked(question: string, text: string, language?: 'english' | 'chinese'): string {
  let [result, at] = ['', 0];
  for (const [start, end] of find(question, text, language)) {
    result += `${text.slice(at, start)}[${text.slice(start, end)}]`;
    at = end;
  }
  return result + text.slice(at);
}

test.each([
  [
    'refunds',
    'Refunds are paid; a REFUND, refunded. Funds',
    '[Refunds] are paid; a [REFUND], [refunded]. Funds',
  ],
  [
    'policy',
    'Our policies and the policy, not the police',
    'Our [policies] and the [policy], not the police',
  ],
  [
    'cafe',
    'A café in CAFE, cafe\u0301 and ｃａｆé style',
    'A [café] in [CAFE], [cafe\u0301] and [ｃａｆé] style',
  ],
  ['agent', "The agent's reply, the agent’s", "The [agent]'s reply, the [agent]’s"],
  ['the file', 'The ﬁle in the ﬁles', 'The [ﬁle] in the [ﬁles]'],
  ['istanbul', 'In İstanbul, ISTANBUL', 'In [İstanbul], [ISTANBUL]'],
  ['10 kg', '１０㎏ of it, 10kg or 10 kg', '１０㎏ of it, 10kg or [10] [kg]'],
  ['E-4711', 'E-4711 of 🙂 e4711', '[E]-[4711] of 🙂 e4711'],
  ['who pays?', 'who is it that pays', 'who is it that [pays]'],
  ['nothing', '', ''],
])('%s in %s', (question, text, expected) => {
  expect(marked(question, text)).toBe(expected);
});

test.each([
  ['退货运费', '谁承担退货运费？', '谁承担[退货运费]？'],
  ['資料', '资料与資料', '[资料]与[資料]'],
  ['资料', '🙂資料，資格', '🙂[資料]，[資]格'],
  ['API密钥', 'API密钥是', '[API密钥]是'],
  ['退款是什么', '退款什么', '[退款]什么'],
])('%s in %s', (question, text, expected) => {
  expect(marked(question, text, 'chinese')).toBe(expected);
});

test.each([
  'The agent’s İstanbul ﬁles: ㈱ 株式会社, １２㎏, ½, ﷺ, Ⅷ, ｶﾞｷﾞ',
  'Σίσυφος ΣΊΣΥΦΟΣ, Straße STRASSE',
  '臺灣的計程車與軟體，發髮乾幹后後',
  '\u1112\u1161\u11ab\u1100\u1173\u11af 한글 각',
  'กำหนดการ ภาษาไทย',
  `a\u0316\u0301${'\u0301'.repeat(40)} b`,
])('finds the words that the index has, whatever normalization changes: %s', (text) => {
  const form = runAtOnce(normalizeInSteps(text));
  const tokens = [...form.text.matchAll(WORD)].flatMap(([word]) =>
    [...word.matchAll(RUN)].map(([run]) => tokenOf(run)),
  );
  expect(tokens.filter(Boolean)).toEqual(tokenize(text));
  expect(form.starts.length).toBe(form.text.length);
  expect(form.ends.length).toBe(form.text.length);
});

test('bounds the marks of a text', () => {
  expect(find('a b', 'b '.repeat(5_000))).toHaveLength(1_000);
});

test.each(['a.'.repeat(16_384), '中'.repeat(32_768), 'é\u0301'.repeat(16_384), '\ufdfa'.repeat(32_768)])(
  'takes linear time for a hostile text (%#)',
  async (text) => {
    expect(await cpuTime(() => find('a 中', text))).toBeLessThan(1_000);
  },
);
