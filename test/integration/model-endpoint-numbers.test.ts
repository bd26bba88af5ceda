import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { embedTexts } from '../../src/search/embedding/endpoint.js';
import { rerankTexts } from '../../src/search/reranking/endpoint.js';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { startJsonServer } from '../support/json-server.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient } from './support/rest-client.js';

/* Numbers in the answers of endpoints that cannot be true. */

const TEXTS = ['A heron stands.', 'In the lake.'];
/** A token for each four bytes or less. */
const ESTIMATE = 7;

const endpoint = await startEmbeddingServer();
let body = '';
const raw = await startJsonServer(() => ({ fault: { status: 200, body } }));
afterAll(() => Promise.all([endpoint.close(), raw.close()]));
afterEach(() => {
  endpoint.state.distort = undefined;
});

const signal = () => AbortSignal.timeout(30_000);
const embed = (url: string) => embedTexts({ url, model: 'words' }, TEXTS, signal());

describe('tokens that were used', () => {
  test.each([
    ['as counted', { total_tokens: 6 }, 6],
    ['by their other name', { prompt_tokens: 6 }, 6],
    ['one for each byte', { total_tokens: 27 }, 27],
    ['one for each text', { total_tokens: 2 }, 2],
    ['none', { total_tokens: 0 }, ESTIMATE],
    ['fewer than texts', { total_tokens: 1 }, ESTIMATE],
    ['less than nothing', { total_tokens: -1_000_000 }, ESTIMATE],
    ['far more than bytes', { total_tokens: 1_000_000 }, ESTIMATE],
    ['far more than any integer', { total_tokens: 1e308 }, ESTIMATE],
    ['a fraction', { total_tokens: 6.5 }, ESTIMATE],
    ['a text', { total_tokens: '6' }, ESTIMATE],
    ['null', { total_tokens: null }, ESTIMATE],
    ['a wrong number beside a right one', { total_tokens: -1, prompt_tokens: 6 }, 6],
    ['nothing', null, ESTIMATE],
    ['a list', [1, 2], ESTIMATE],
  ])('%s', async (_, usage, tokens) => {
    endpoint.state.distort = (answer) => ({ ...answer, usage });
    expect((await embed(endpoint.url)).tokens).toBe(tokens);
  });

  describe('of a tenant', () => {
    const app = useApp({
      embedding: embeddingConfig({ url: endpoint.url, model: 'words' }, { tokenQuota: 10 }),
    });
    const rest = createRestClient(app);
    const status = async () => (await app.trpc().search.status.query()).embedding;
    const create = async (documentContent: string) => {
      await rest.createDocument({ documentContent }, ['faq']);
      await app.settle();
    };

    test.each([-1_000_000, 1e308])('count, though the endpoint says %d', async (total_tokens) => {
      endpoint.state.distort = (answer) => ({ ...answer, usage: { total_tokens } });
      const before = (await status()) ?? { texts: 0, tokens: 0 };
      await create(`A heron stands at ${total_tokens}.`);
      await waitFor(async () => (await status())?.waiting === 0, { what: 'the text to be embedded' });
      const after = await status();
      expect(after?.texts).toBe(before.texts + 1);
      expect(after?.tokens).toBeGreaterThan(before.tokens);
      expect(after?.tokens).toBeLessThan(before.tokens + 30);
    });

    test('are not given back', async () => {
      await create('A heron stands for long.');
      await waitFor(async () => (await status())?.failed === 1, { what: 'the text to be postponed' });
      expect((await status())?.errors).toMatchObject([
        { error: 'The tenant has used its 10 embedded tokens.' },
      ]);
    });
  });
});

describe('vectors', () => {
  const vectors = (...all: string[]) => `{"data":[${all}]}`;
  const vector = (index: string, ...elements: string[]) => `{"index":${index},"embedding":[${elements}]}`;
  const NOT_ONE = "The embedding endpoint's answer cannot be used: not the answer of an embedding endpoint.";
  const NONE = "The embedding endpoint's answer cannot be used: no answer for text 1 of 2.";
  const NO_DIRECTION =
    "The embedding endpoint's answer cannot be used: a vector of zeros, or of numbers that are not finite.";

  test.each([
    ['of an index beyond', vectors(vector('0', '1'), vector('2', '1')), NONE],
    ['of an index below', vectors(vector('0', '1'), vector('-1', '1')), NONE],
    ['of an index that is huge', vectors(vector('0', '1'), vector('1e308', '1')), NOT_ONE],
    ['of half an index', vectors(vector('0', '1'), vector('0.5', '1')), NOT_ONE],
    ['of one index twice', vectors(vector('0', '1'), vector('0', '1')), NONE],
    ['of elements that are huge', vectors(vector('0', '1'), vector('1', '1e308')), NO_DIRECTION],
    ['of elements that are infinite', vectors(vector('0', '1'), vector('1', '1e999')), NOT_ONE],
    ['of elements that are next to nothing', vectors(vector('0', '1'), vector('1', '1e-308')), NO_DIRECTION],
    [
      'of no dimensions',
      vectors(vector('0'), vector('1')),
      "The embedding endpoint's answer cannot be used: a vector of 0 dimensions in place of 0.",
    ],
    [
      'of 8,193 dimensions',
      vectors(vector('0', ...Array(8_193).fill('1')), vector('1', ...Array(8_193).fill('1'))),
      "The embedding endpoint's answer cannot be used: a vector of 8193 dimensions in place of 8193.",
    ],
    [
      'of unlike dimensions',
      vectors(vector('0', '1', '2'), vector('1', '1')),
      "The embedding endpoint's answer cannot be used: a vector of 1 dimensions in place of 2.",
    ],
  ])('%s are not used', async (_, answer, told) => {
    body = answer;
    await expect(embed(raw.address)).rejects.toThrow(told);
  });
});

describe('scores', () => {
  const rerank = (...scores: string[]) => {
    body = `{"results":[${scores.map((score, index) => `{"index":${index},"relevance_score":${score}}`)}]}`;
    return rerankTexts({ url: raw.address, model: 'cross' }, '?', TEXTS, signal());
  };

  test('may be of any size that is finite', async () => {
    expect(await rerank('1e308', '-1e308')).toEqual([1e308, -1e308]);
  });

  test.each(['NaN', '1e999', '-1e999', 'null', '"1"'])('%s is not used', async (score) => {
    await expect(rerank('0.5', score)).rejects.toThrow('not the answer of a rerank endpoint');
  });
});
