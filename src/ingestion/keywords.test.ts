import { expect, it } from 'vitest';
import { keywords, wordWeights } from './keywords.js';

const english =
  'Embedding models turn passages into vectors. The retriever compares vectors of questions with vectors of ' +
  'passages. Dense retrievers beat BM25 on open questions, while BM25 remains strong on rare names such as Karpukhin.';
const chinese =
  '知识图谱是人工智能的重要分支。知识图谱用图的结构描述实体之间的关系，区块链与知识图谱结合后，可以保证数据的可信。' +
  '构建知识图谱需要抽取实体和关系，区块链保存抽取的记录。';

it('gives words as they are written, with forms of one stem together', () => {
  expect(keywords(english, 5)).toEqual({
    vectors: 1,
    BM25: 0.93,
    passages: 0.81,
    retriever: 0.81,
    questions: 0.81,
  });
});

it('puts Chinese words together that keep occurring together', () => {
  expect(keywords(chinese, 5)).toEqual({ 知识图谱: 1, 区块链: 0.71, 实体: 0.62, 关系: 0.62, 抽取: 0.62 });
});

it('counts less what stands in most texts', () => {
  const weights = wordWeights([english, 'vectors of numbers', 'vectors of letters', 'vectors of words']);
  expect(Object.keys(keywords(english, 3, weights))).toEqual(['BM25', 'passages', 'retriever']);
});

it('has neither grammar nor numbers nor single letters', () => {
  expect(keywords('It was the 1st of 42 and x in 2024, 3.14; 的 和 是 我们。')).toEqual({});
});

it('knows short names in capitals', () => {
  expect(Object.keys(keywords('The EU and AI.'))).toEqual(['EU', 'AI']);
});
