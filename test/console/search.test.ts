import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { hasBrowser, screenshot, useConsole } from './support/browser.js';

const run = promisify(execFile);
const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

describe.skipIf(!hasBrowser)('the search lab', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'shop' };
  const shop = { scope, documentType: 'UnstructuredFile' as const, datasetIds: ['shop'] };
  const AT = '/search?tenant=acme&unit=shop';
  const TEXTS = {
    Returns: 'Goods can be returned within 30 days. We pay the postage of every return.',
    Deliveries: "Deliveries take three days. It's free from 50 euros.",
    退货: '商品可在三十天内退货，退货运费由我们承担。',
  };

  beforeAll(async () => {
    const documents = Object.entries(TEXTS).map(([documentName, documentContent]) => ({
      documentName,
      documentContent,
    }));
    await app.trpc().documents.createMany.mutate({ ...shop, documents });
    await app.settle();
  });

  test('a question finds its answer, with its score and the matched words', async () => {
    const page = await open(AT);
    await expect.poll(() => page.getByLabel('Datasets').inputValue()).toBe('shop');
    await screenshot(page, 'search-start');
    await page.getByLabel('Question', { exact: true }).fill("Who pays if it's returned?");
    await page.getByRole('button', { name: 'Ask' }).click();
    const first = page.getByRole('listitem').filter({ hasText: 'Returns' });
    await page.getByText('1 hit · postgres · By words').waitFor();
    expect(await first.locator('mark').allInnerTexts()).toEqual(['returned', 'pay', 'return']);
    expect(new URL(page.url()).searchParams.get('q')).toBe("Who pays if it's returned?");
    await screenshot(page, 'search');
    await page.reload();
    await first.getByText('Goods can be').waitFor();
  });

  test('why another chunk is not found is told', async () => {
    const page = await open(`${AT}&q=postage&datasets=shop`);
    // What is found moves the button down.
    await page.getByText('Searched words, and how many chunks have each').waitFor();
    await page.getByRole('button', { name: 'Why is a chunk not found?' }).click();
    await page.getByLabel('Document', { exact: true }).selectOption('Deliveries');
    await page.getByLabel('Chunk', { exact: true }).selectOption({ index: 1 });
    const answer = page.getByRole('region', { name: 'Why is this chunk not found?' }).getByRole('status');
    await answer.getByText('The search does not find it.').waitFor();
    expect(await answer.getByRole('paragraph').allInnerTexts()).toEqual(
      expect.arrayContaining([
        'Searched words that it has: none',
        expect.stringContaining('it lacks: postag'),
      ]),
    );
    expect(await answer.getByRole('listitem').count()).toBeGreaterThan(0);
    await screenshot(page, 'search-why');
    await page.getByLabel('Document', { exact: true }).selectOption('Returns');
    await page.getByLabel('Chunk', { exact: true }).selectOption({ index: 1 });
    await answer.getByText('It is hit 1.').waitFor();
  });

  test.each([
    ["Who pays if it's returned?", ''],
    ["Who pays if it's returned?", '&mode=lexical&topK=3'],
  ])('the copied command finds the same: %s %s', async (question, settings) => {
    const page = await open(`${AT}&q=${encodeURIComponent(question)}&datasets=shop${settings}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate(() => (globalThis as any).navigator.clipboard.readText());
    const { stdout } = await run('sh', ['-c', command], { env: { PATH: process.env.PATH } });
    const answer = JSON.parse(stdout);
    const hits = answer.result?.data ?? answer;
    expect(hits[0]).toMatchObject({ content: TEXTS.Returns });
  });

  test('a Chinese question marks what it has in common with the text', async () => {
    const page = await open(
      `${AT}&q=${encodeURIComponent('退货运费谁承担')}&datasets=shop&language=chinese`,
      {
        language: 'zh',
      },
    );
    const first = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '退货' }) });
    await first.locator('mark').first().waitFor();
    expect((await first.locator('mark').allInnerTexts()).join()).toContain('退货运费');
    await screenshot(page, 'search-zh');
  });

  test('what is missing is said', async () => {
    const page = await open('/search?tenant=acme');
    await page.getByRole('heading', { name: 'A search needs a unit' }).waitFor();
    await page.goto(`${AT}&q=zebra&datasets=shop`);
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await page.getByLabel('Datasets').fill(' , ');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('Name at least one dataset').waitFor();
  });
});

describe.skipIf(!hasBrowser)('the search lab of a server that searches by meaning', () => {
  const { app, open } = useConsole({ embedding: embeddingConfig({ url: endpoint.url, model: 'words' }) });

  test('shows what a score is made of', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'health' };
    await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentName: 'Doctors',
      documentContent: 'A physician treats a sore throat.',
      datasetIds: ['faq'],
    });
    await app.settle();
    const status = () => app.trpc().search.status.query();
    await expect.poll(async () => (await status()).embedding?.waiting).toBe(0);
    await expect.poll(async () => (await status()).postings.changes).toBe(0);
    const page = await open('/search?tenant=acme&unit=health&q=a+doctor+for+the+throat&datasets=faq');
    await page.getByText('1 hit · postgres · By words and meaning').waitFor();
    const hit = page.getByRole('listitem').filter({ hasText: 'Doctors' });
    expect(await hit.getByRole('term').allInnerTexts()).toEqual(['words', 'meaning']);
    expect(await hit.getByRole('definition').allInnerTexts()).toEqual([
      expect.stringMatching(/^[01]\.\d{3}$/),
      expect.stringMatching(/^[01]\.\d{3}$/),
    ]);
    await screenshot(page, 'search-by-meaning');
  });
});
