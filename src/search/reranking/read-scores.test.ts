import { describe, expect, test } from 'vitest';
import { readScores } from './read-scores.js';

describe('scores are read from the answer', () => {
  test.each([
    [
      'of Jina, Cohere and vLLM',
      {
        id: 'rerank-1',
        results: [
          { index: 1, relevance_score: 0.9, document: { text: 'b' } },
          { index: 0, relevance_score: -2 },
        ],
        usage: { total_tokens: 7 },
      },
    ],
    [
      'of Voyage AI',
      {
        object: 'list',
        data: [
          { index: 1, relevance_score: 0.9 },
          { index: 0, relevance_score: -2 },
        ],
      },
    ],
    [
      'of Text Embeddings Inference',
      [
        { index: 1, score: 0.9 },
        { index: 0, score: -2 },
      ],
    ],
  ])('%s', (_, answer) => {
    expect(readScores(answer, 2)).toEqual([-2, 0.9]);
  });
});

describe('an answer is not used with', () => {
  const result = (index: unknown, relevance_score: unknown) => ({ index, relevance_score });
  const notOne = "The rerank endpoint's answer cannot be used: not the answer of a rerank endpoint.";

  test.each([
    ['no JSON', undefined, notOne],
    ['something else', { hello: 'world' }, notOne],
    ['a score of text', { results: [result(0, '0.5'), result(1, 0.5)] }, notOne],
    ['a score that is no number', { results: [result(0, Number.NaN), result(1, 0.5)] }, notOne],
    ['an infinite score', [{ index: 0, score: Number.POSITIVE_INFINITY }], notOne],
    ['no score', [{ index: 0 }, { index: 1 }], notOne],
    ['half an index', { results: [result(0.5, 0.5), result(1, 0.5)] }, notOne],
    ['too few', { results: [result(0, 0.5)] }, 'cannot be used: 1 answers for 2 texts.'],
    ['too many', { results: [0, 1, 2].map((one) => result(one, 0.5)) }, ': 3 answers for 2 texts.'],
    ['none', [], 'cannot be used: 0 answers for 2 texts.'],
    ['one twice', { results: [result(1, 0.5), result(1, 0.4)] }, ': no answer for text 0 of 2.'],
    ['one out of range', { results: [result(0, 0.5), result(2, 0.4)] }, ': no answer for text 1 of 2.'],
    ['one before the first', { results: [result(0, 0.5), result(-1, 0.4)] }, ': no answer for text 1 of 2.'],
  ])('%s', (_, answer, message) => {
    expect(() => readScores(answer, 2)).toThrow(message);
  });
});
