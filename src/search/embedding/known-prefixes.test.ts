import { describe, expect, test } from 'vitest';
import { findKnownPrefixes } from './known-prefixes.js';

const E5 = { query: 'query: ', passage: 'passage: ' };
const NOMIC = { query: 'search_query: ', passage: 'search_document: ' };
const TASK = 'Instruct: Given a web search query, retrieve relevant passages that answer the query';
const INSTRUCTED = { query: `${TASK}\nQuery: `, passage: '' };
const QWEN = { query: `${TASK}\nQuery:`, passage: '' };
const BGE_EN = { query: 'Represent this sentence for searching relevant passages: ', passage: '' };
const BGE_ZH = { query: '为这个句子生成表示以用于检索相关文章：', passage: '' };

describe('the prefixes of a model are known by its name', () => {
  test.each([
    ['intfloat/multilingual-e5-small', E5],
    ['intfloat/e5-base-v2', E5],
    ['multilingual-e5-large:latest', E5],
    ['intfloat/multilingual-e5-large-instruct', INSTRUCTED],
    ['intfloat/e5-mistral-7b-instruct', INSTRUCTED],
    ['BAAI/bge-base-en-v1.5', BGE_EN],
    ['BAAI/bge-small-en', BGE_EN],
    ['BAAI/bge-large-zh-v1.5', BGE_ZH],
    ['nomic-embed-text', NOMIC],
    ['nomic-embed-text:v1.5', NOMIC],
    ['nomic-ai/nomic-embed-text-v2-moe', NOMIC],
    ['text-embedding-nomic-embed-text-v1.5', NOMIC],
    ['nomic-embed-text-v1.5.Q8_0.gguf', NOMIC],
    ['Alibaba-NLP/gte-Qwen2-1.5B-instruct', INSTRUCTED],
    ['qwen3-embedding:0.6b', QWEN],
    ['Qwen/Qwen3-Embedding-8B-GGUF', QWEN],
    ['/models/Qwen3-Embedding-0.6B-Q4_K_M.gguf', QWEN],
  ])('%s', (model, prefixes) => {
    expect(findKnownPrefixes(model)).toEqual(prefixes);
  });
});

describe('no prefixes are known', () => {
  test.each([
    'BAAI/bge-m3',
    'bge-large',
    'thenlper/gte-large',
    'Alibaba-NLP/gte-multilingual-base',
    'text-embedding-3-small',
    'all-minilm',
    'our-multilingual-e5-small-tuned',
    'e5-small-unsupervised',
    'qwen3-reranker-0.6b',
    '',
  ])('of %s', (model) => {
    expect(findKnownPrefixes(model)).toBeUndefined();
  });
});
