import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../packages/file-to-markdown/test/support/cpu-time.js';
import { analyze, analyzeQuery } from './analyze.js';

const termsOf = (text: string) => analyze(text).map(({ term }) => term);

describe('a text', () => {
  test.each([
    ['words without accents, stemmed', 'Cafés REFUNDED', ['cafe', 'refund']],
    ['words without a possessive', 'the agent’s reply', ['the', 'agent', 'repli']],
    ['parts of codes', 'E-4711', ['e', '4711']],
    ['Chinese characters and pairs', '退款单', ['退', '退款', '款', '款单', '单']],
    ['Traditional characters as simplified ones', '資料', ['资', '资料', '料']],
    ['scripts apart', 'API密钥', ['api', '密', '密钥', '钥']],
  ])('gives %s', (_, text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  test('gives positions: a pair has the position of its first character', () => {
    expect(analyze('see 密钥 now')).toEqual([
      { term: 'see', position: 0 },
      { term: '密', position: 1 },
      { term: '密钥', position: 1 },
      { term: '钥', position: 2 },
      { term: 'now', position: 3 },
    ]);
  });
});

describe('a query', () => {
  const ask = (text: string, language: 'english' | 'chinese') =>
    analyzeQuery(text, language).map(({ term }) => term);

  test.each([
    ['English function words', 'What is the refund for?', 'english', ['refund']],
    ['Chinese ones with their pairs', '退款是什么？', 'chinese', ['退', '退款', '款']],
    ['the longest of them', '密钥什么时候到期', 'chinese', ['密', '密钥', '钥', '到期', '期']],
    ['Traditional ones', '退款為什麼', 'chinese', ['退', '退款', '款']],
    ['Chinese ones where no language is said', '如何退款', 'english', ['退', '退款', '款']],
  ] as const)('loses %s', (_, text, language, terms) => {
    expect(ask(text, language)).toEqual(terms);
  });

  test('keeps English words in Chinese, which may be names', () => {
    expect(ask('IT 部门的电话', 'chinese')).toContain('it');
  });

  test('keeps everything when nothing else is left', () => {
    expect(ask('who are you', 'english')).toEqual(['who', 'are', 'you']);
    expect(ask('为什么', 'chinese')).toEqual(['为', '为什', '什', '什么', '么']);
  });
});

test.each([
  'a\u0301\u0316'.concat('\u0301\u0316'.repeat(50_000)),
  '\ufdfa'.repeat(32_768),
  '中'.repeat(32_768),
  'a.'.repeat(16_384),
])('takes linear time for a hostile text (%#)', async (text) => {
  expect(await cpuTime(() => analyze(text))).toBeLessThan(1_000);
});

test('bounds the text after normalization: one character may expand to eighteen', () => {
  expect(analyze('\ufdfa'.repeat(32_768)).length).toBeLessThan(20_000);
});
