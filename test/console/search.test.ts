import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const run = promisify(execFile);
/** Python programs are run where there is a Python with that library. */
const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
const endpoint = await startEmbeddingServer();
afterAll(() => endpoint.close());

describe.skipIf(!hasBrowser)('the search lab', () => {
  const { app, open, forgive } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'shop' };
  const shop = { scope, documentType: 'UnstructuredFile' as const, datasetIds: ['shop'] };
  const AT = '/search?tenant=acme&unit=shop';
  const TEXTS = {
    Returns: 'Goods can be returned within 30 days. We pay the postage of every return.',
    Deliveries:
      "Deliveries take three days. It's free from 50 euros, and tracked from our warehouse to your door by the carrier.",
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
    await page.getByRole('button', { name: 'Remove shop', exact: true }).waitFor();
    await screenshot(page, 'search-start');
    await page.getByLabel('Question', { exact: true }).fill("Who pays if it's returned?");
    await page.getByRole('button', { name: 'Ask' }).click();
    const first = page.getByRole('listitem').filter({ hasText: 'Returns' });
    await page.getByText(/^1 hit · postgres · By words · [\d.]+ \w+$/).waitFor();
    await expect.poll(() => first.locator('mark').allInnerTexts()).toEqual(['returned', 'pay', 'return']);
    expect(new URL(page.url()).searchParams.get('q')).toBe("Who pays if it's returned?");
    await screenshot(page, 'search');
    await page.reload();
    await first.getByText('Goods can be').waitFor();
  });

  test('a hit shows where it is from and what is around it, and leads to its place', async () => {
    const days = Array.from({ length: 30 }, (_, n) => `On day ${n} ship${n} passed the cape.`);
    await app.trpc().documents.create.mutate({
      ...shop,
      scope: { ...scope, tenantUnitId: 'lighthouse' },
      datasetIds: ['log'],
      documentName: 'Log',
      title: 'Log of the lighthouse',
      url: 'https://lighthouse.test/log',
      documentContent: `# Log\n\n${days.join('\n\n')}`,
      chunking: { size: 100, overlap: 0 },
    });
    await app.settle();
    const page = await open(`${AT.replace('unit=shop', 'unit=lighthouse')}&q=ship13&datasets=log`);
    const hit = page.getByRole('listitem').filter({ hasText: 'ship13' });
    await hit.getByText(/^log · Log of the lighthouse · chunk \d+ · https/).waitFor();
    const details = hit.getByText(/characters \d+–\d+ of the source · version 1 · processed/);
    expect(await details.isVisible()).toBe(false);
    await hit.getByText('Details', { exact: true }).click();
    await details.waitFor();
    await hit.getByRole('link', { name: 'https://lighthouse.test/log' }).waitFor();
    expect(await hit.getByText('ship10').count()).toBe(0);
    await page.getByLabel('Context').selectOption('2 chunks on each side');
    await hit.getByText('ship10').waitFor();
    await hit.getByText('ship16').waitFor();
    await expect.poll(() => hit.locator('mark').allInnerTexts()).toEqual(['ship13']);
    expect(new URL(page.url()).searchParams.get('neighbours')).toBe('2');
    await screenshot(page, 'search-context');
    await expectAccessible(page);

    await page.getByLabel('Question', { exact: true }).fill('ship13 ship15');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page
      .getByText(/^Hit 1 shows the text around it/)
      .first()
      .waitFor();
    await page.getByLabel('Question', { exact: true }).fill('ship13');
    await page.getByRole('button', { name: 'Ask' }).click();
    await hit.getByRole('link', { name: 'Show in the document' }).click();
    await page.locator('[aria-current][data-lit]').filter({ hasText: 'ship13' }).waitFor();
    await page
      .getByRole('region', { name: 'Source', exact: true })
      .locator('[data-lit]')
      .filter({ hasText: 'ship13' })
      .waitFor();
  });

  test('a filter leaves hits, and is refused at its field', async () => {
    const page = await open(`${AT}&q=return&datasets=shop`);
    const field = page.getByLabel('Filter, in JSON');
    const ask = page.getByRole('button', { name: 'Ask' });
    expect(await field.isVisible()).toBe(false);
    await page.getByText('More settings', { exact: true }).click();
    const fault = field.locator('xpath=..').getByRole('alert');
    await field.fill('{ "type": "eq"');
    await ask.click();
    await expect.poll(() => fault.textContent()).toBe('This is no JSON object.');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await field.fill('{ "type": "gt", "key": "document.createdTime", "value": "soon" }');
    await ask.click();
    await expect.poll(() => fault.textContent()).toBe('value: must be an ISO 8601 time');
    await screenshot(page, 'search-filter');
    const filter = '{ "type": "ne", "key": "document.name", "value": "Returns" }';
    await field.fill(filter);
    expect(await fault.count()).toBe(0);
    await ask.click();
    await page.getByText(/^0 hits/).waitFor();
    await field.fill(filter.replace('ne', 'eq'));
    await ask.click();
    await page.getByText(/^1 hit /).waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe(filter.replace('ne', 'eq'));
    await page.reload();
    await page.getByText(/^1 hit /).waitFor();
    await page.getByText('More settings (1)', { exact: true }).waitFor();
    expect(await field.isVisible()).toBe(true);
    expect(await field.inputValue()).toBe(filter.replace('ne', 'eq'));
    forgive(/422/);
  });

  test('what is around a hit, in Chinese', async () => {
    const page = await open(
      `${AT.replace('unit=shop', 'unit=lighthouse')}&q=ship13&datasets=log&neighbours=1`,
      { language: 'zh' },
    );
    await page.getByText('详情', { exact: true }).click();
    await page.getByText(/来源的第 \d+–\d+ 个字符/).waitFor();
    await expect.poll(() => page.getByLabel('上下文').inputValue()).toBe('1');
    await expectNoOverflow(page);
    await screenshot(page, 'search-context-zh');
  });

  test('hits are rendered as Markdown, with the searched words marked', async () => {
    const paragraphs = Array.from(
      { length: 30 },
      (_, n) => `Step ${n} of the **long** way round the harbour.`,
    );
    await app.trpc().documents.createMany.mutate({
      ...shop,
      datasetIds: ['md'],
      documents: [
        {
          documentName: 'tariffs.md',
          documentContent:
            '## Tariffs\n\n| Zone | Fee |\n|---|---|\n| North | **4** euros for parcels |\n\n- fragile *parcels* cost more',
        },
        {
          documentName: 'way.md',
          documentContent: `${paragraphs.join('\n\n')}\n\nAt last, the *lighthouse*.`,
          chunking: { size: 3000, overlap: 0 },
        },
      ],
    });
    await app.settle();
    const page = await open(`${AT}&q=parcels&datasets=md`);
    const hit = page.getByRole('listitem').filter({ hasText: 'tariffs.md' });
    await hit.getByRole('cell', { name: '4 euros for parcels' }).waitFor();
    await expect.poll(() => hit.locator('mark').allInnerTexts()).toEqual(['parcels', 'parcels']);
    await hit.getByRole('heading', { name: 'Tariffs', exact: true }).waitFor();
    expect(await hit.getByText('**').count()).toBe(0);
    await hit.getByRole('button', { name: /^Score 0\.\d{3}$/ }).click();
    await hit.getByText(/^Only words count for these scores, from 0 to 1/).waitFor();
    await page.keyboard.press('Escape');
    await screenshot(page, 'search-markdown');

    // Lines of one excerpt have no signs of Markdown.
    await page.getByRole('button', { name: 'Why is a chunk not found?' }).click();
    await page.getByLabel('Document', { exact: true }).selectOption('tariffs.md');
    const chunk = page.getByLabel('Chunk', { exact: true }).locator('option').nth(1);
    await expect.poll(() => chunk.textContent()).toMatch(/^1: Tariffs Zone Fee North 4 euros for parcels/);
    const question = page.getByRole('combobox', { name: 'Question', exact: true });
    await question.fill('euros for parc');
    const options = page.getByRole('listbox', { name: 'Question' }).getByRole('option');
    await expect
      .poll(() => options.filter({ hasText: 'tariffs.md' }).last().textContent())
      .toMatch(/^[^|*#]*4 euros for parcels/);

    await page.goto(`${AT}&q=lighthouse&datasets=md`);
    const long = page.getByRole('listitem').filter({ hasText: 'way.md' });
    const isInView = () =>
      long.locator('mark').evaluate((mark) => {
        const box = mark.closest('[data-long]')?.getBoundingClientRect();
        const { top, bottom } = mark.getBoundingClientRect();
        return box !== undefined && top >= box.top && bottom <= box.bottom;
      });
    await expect.poll(isInView).toBe(true);
    await screenshot(page, 'search-markdown-cut');
    await expectAccessible(page);
    await long.getByRole('button', { name: 'Show all' }).click();
    await long.getByRole('button', { name: 'Show less' }).waitFor();
    expect(await long.locator('[data-long]').count()).toBe(0);
  });

  test('a question is completed and answered while it is typed', async () => {
    const page = await open(AT);
    await page.getByRole('button', { name: 'Remove shop', exact: true }).waitFor();
    const field = page.getByRole('combobox', { name: 'Question', exact: true });
    const options = page.getByRole('listbox', { name: 'Question' }).getByRole('option');
    await field.pressSequentially('Who pays the postg');
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual(['Who pays the postage', expect.stringContaining('We pay the postage')]);
    await expect.poll(() => options.last().locator('mark').allInnerTexts()).toEqual(['pay', 'postage']);
    await expectAccessible(page);
    await screenshot(page, 'search-suggestions');
    await field.press('ArrowDown');
    await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('Who pays the postage');
    await expect.poll(() => options.count()).toBe(0);
    await field.press('Enter');
    await page.getByText(/^1 hit/).waitFor();
    // What is asked is not what is suggested.
    await expect.poll(() => options.count()).toBe(0);

    await field.fill('deliv');
    await options.getByText('Deliveries', { exact: true }).first().waitFor();
    await field.press('Escape');
    await expect.poll(() => options.count()).toBe(0);
    await field.fill('xylophone');
    await page.getByText('No suggestions').waitFor();
    await field.fill('who returns');
    await options.filter({ hasText: 'Goods can be' }).click();
    await page.waitForURL(/\/documents\/.*chunk=/);
    await page.getByText('Goods can be returned').first().waitFor();
  });

  test('suggestions in Chinese', async () => {
    const page = await open(AT, { language: 'zh' });
    await page.getByRole('button', { name: '移除 shop', exact: true }).waitFor();
    const language = page.getByLabel('问题的语言', { exact: true });
    expect(await language.inputValue()).toBe('chinese');
    const field = page.getByRole('combobox', { name: '问题', exact: true });
    await field.fill('退货');
    const list = page.getByRole('listbox');
    await list.getByRole('group', { name: '文档' }).getByRole('option', { name: '退货' }).waitFor();
    await list.getByRole('group', { name: '命中' }).locator('mark', { hasText: '退货' }).first().waitFor();
    await screenshot(page, 'search-suggestions-zh');
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
    await expect
      .poll(() => answer.getByRole('paragraph').allInnerTexts())
      .toEqual(
        expect.arrayContaining([
          'Searched words that it has: none',
          expect.stringContaining('it lacks: postage'),
        ]),
      );
    await expect
      .poll(() => answer.getByRole('listitem').allInnerTexts())
      .toEqual(['It has none of the searched words. Use its words in the question, or add synonyms.']);
    await screenshot(page, 'search-why');
    await page.getByLabel('Document', { exact: true }).selectOption('Returns');
    await page.getByLabel('Chunk', { exact: true }).selectOption({ index: 1 });
    await answer.getByText('It is hit 1.').waitFor();
  });

  test('of a chunk that is found too low, its rank is said once, and asked for', async () => {
    const page = await open(`${AT}&q=${encodeURIComponent('returned in three days')}&datasets=shop&topK=1`);
    await page.getByText('Searched words, and how many chunks have each').waitFor();
    await page.getByRole('button', { name: 'Why is a chunk not found?' }).click();
    const hit = await page.getByRole('list', { name: 'Hits' }).getByRole('heading').first().textContent();
    await page
      .getByLabel('Document', { exact: true })
      .selectOption(hit === 'Returns' ? 'Deliveries' : 'Returns');
    await page.getByLabel('Chunk', { exact: true }).selectOption({ index: 1 });
    const answer = page.getByRole('region', { name: 'Why is this chunk not found?' }).getByRole('status');
    await answer.getByText('It would be hit 2; 1 were asked for.').waitFor();
    await expect.poll(() => answer.getByText(/rank/).count()).toBe(0);
    await answer.getByText(/^Raise the number of hits/).waitFor();
    await answer.getByRole('link', { name: 'Ask for 2 hits' }).click();
    await page.getByText(/^2 hits · /).waitFor();
    await answer.getByText('It is hit 2.').waitFor();
  });

  test('a mode that the server cannot do is said not to be what was used', async () => {
    const page = await open(`${AT}&q=postage&datasets=shop&mode=semantic`);
    await page.getByText('“By meaning” was asked for, “By words” is what the server could do').waitFor();
  });

  test('any chunk can be named by its id', async () => {
    const { items } = await app.trpc().documents.list.query({ scope, pageSize: 10 });
    const documentId = items.find(({ documentName }) => documentName === 'Deliveries')?.id as string;
    const chunks = await app.trpc().chunks.list.query({ scope, documentId });
    const page = await open(`${AT}&q=postage&datasets=shop`);
    await page.getByRole('button', { name: 'Why is a chunk not found?' }).click();
    await page.getByRole('button', { name: 'Name a chunk by its id' }).click();
    const box = page.getByRole('region', { name: 'Why is this chunk not found?' });
    await box.getByLabel('Id of the document').fill(documentId);
    await box.getByLabel('Id of the chunk').fill('unknown');
    await box.getByRole('button', { name: 'Ask', exact: true }).click();
    await box.getByText('Chunk not found.').waitFor();
    forgive(/404/);
    await box.getByLabel('Id of the chunk').fill(chunks.items[0]?.id as string);
    await box.getByRole('button', { name: 'Ask', exact: true }).click();
    await box.getByText('The search does not find it.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'search-why-by-id');
  });

  test.each([
    ['curl', ''],
    ['curl', '&mode=lexical&topK=3'],
    ['Python', ''],
    ['Python', '&mode=lexical&topK=3'],
  ])('the same search as %s finds the same: %s', async (language, settings) => {
    const question = encodeURIComponent("Who pays if it's returned?");
    const page = await open(`${AT}&q=${question}&datasets=shop${settings}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByText('This search as code').click();
    await page.getByRole('button', { name: language }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const code = await page.evaluate(() => (globalThis as any).navigator.clipboard.readText());
    if (language === 'Python' && !hasRequests) return;
    const [program, flag] = language === 'curl' ? ['sh', '-c'] : ['python3', '-c'];
    const { stdout } = await run(program as string, [flag as string, code], {
      env: { PATH: process.env.PATH },
    });
    expect(stdout).toContain('Goods can be returned within 30 days.');
    await expectAccessible(page);
    await screenshot(page, `search-as-${language}`);
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

  test('two settings are asked side by side', async () => {
    const page = await open(`${AT}&q=${encodeURIComponent('returned in three days')}&datasets=shop`);
    await page.getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: 'Compare with other settings' }).click();
    const second = page.getByRole('group', { name: 'Second settings' });
    await second.getByLabel('Hits').fill('1');
    await page.getByRole('button', { name: 'Ask' }).click();
    const side = (name: string) => page.getByRole('region', { name });
    await side('Second settings').getByText('same rank').waitFor();
    await expect.poll(() => side('First settings').getByRole('list').getByRole('listitem').count()).toBe(2);
    await expect.poll(() => side('Second settings').getByRole('list').getByRole('listitem').count()).toBe(1);
    await expect.poll(() => side('First settings').getByText('only here').count()).toBe(1);
    await second.getByRole('button', { name: 'Remove shop', exact: true }).click();
    await second.getByLabel('Datasets').fill('other');
    await second.getByLabel('Datasets').press('Enter');
    await second.getByRole('button', { name: 'Remove other', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ask' }).click();
    await side('Second settings').getByText('Nothing was found').waitFor();
    await page.goBack();
    await side('Second settings').getByText('same rank').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'search-compare');
    await page.setViewportSize({ width: 400, height: 800 });
    await expectNoOverflow(page);
    await screenshot(page, 'search-compare-narrow');
    await page.getByRole('button', { name: 'Do not compare' }).click();
    await page.getByRole('button', { name: 'Ask' }).click();
    await side('Second settings').waitFor({ state: 'detached' });
  });

  test('questions are judged, run and asked again', async () => {
    const page = await open(`${AT}&q=postage&datasets=shop&view=collections`);
    await page.getByRole('heading', { name: 'No question is saved yet' }).waitFor();
    await screenshot(page, 'search-collections-empty');
    await page.getByRole('link', { name: 'Ask a question' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Returns' })
      .getByRole('button', { name: 'Mark as expected' })
      .click();
    const panel = page.getByRole('form', { name: 'What this question should find' });
    await panel.getByText('hit 1').waitFor();
    await expect
      .poll(() => panel.getByLabel('Relevance').locator('option:checked').textContent())
      .toBe('answers best');
    // What is not found can be expected as well.
    await page.getByRole('button', { name: 'Why is a chunk not found?' }).click();
    await page.getByLabel('Document', { exact: true }).selectOption('Deliveries');
    await page.getByLabel('Chunk', { exact: true }).selectOption({ index: 1 });
    await page
      .getByRole('region', { name: 'Why is this chunk not found?' })
      .getByRole('button', { name: 'Mark as expected' })
      .click();
    await panel.getByText('not among the hits').waitFor();
    await panel.getByLabel('Relevance').last().selectOption('related');
    await panel.getByLabel('Collection').fill('Shop questions');
    await expectAccessible(page);
    await screenshot(page, 'search-judge');
    await panel.getByRole('button', { name: 'Save the question' }).click();
    await panel.getByText('Saved in Shop questions.').waitFor();
    await panel.getByRole('button', { name: 'Save the changes' }).waitFor();
    await panel.getByRole('link', { name: 'See the collection' }).click();

    await page.getByText('A run asks all questions').waitFor();
    const ran = () => page.getByRole('row').count();
    for (const rows of [2, 3, 4]) {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect.poll(ran).toBe(rows);
    }
    const question = page
      .getByRole('region', { name: 'Questions' })
      .getByRole('listitem')
      .filter({ hasText: 'postage' })
      .first();
    await question.getByText('hit 1').waitFor();
    await question.getByText('not found').waitFor();
    await expect
      .poll(() => page.getByRole('row').nth(1).getByRole('cell').nth(1).textContent())
      .toBe('0.826 ±0');
    await expect
      .poll(() => page.getByRole('row').nth(1).getByRole('cell').nth(2).textContent())
      .toBe('0.500 ±0');
    await expectAccessible(page);
    await screenshot(page, 'search-collection');
    await page.setViewportSize({ width: 400, height: 800 });
    await expectNoOverflow(page);
    await screenshot(page, 'search-collection-narrow');

    await question.getByRole('link', { name: 'Ask it' }).click();
    await panel.getByText('hit 1').waitFor();
    await panel.getByText('not among the hits').waitFor();
    await expectNoOverflow(page);
    await screenshot(page, 'search-judged-narrow');
  });

  test('chunks that are gone since are said to be', async () => {
    const client = app.trpc();
    const unit = { tenantId: 'acme', tenantUnitId: 'gone' };
    const documentContent = 'Parcels are sent on Mondays.';
    const { id: documentId } = await client.documents.create.mutate({
      scope: unit,
      documentType: 'UnstructuredFile',
      documentName: 'Parcels',
      documentContent,
      datasetIds: ['post'],
    });
    await app.settle();
    const { items } = await client.chunks.list.query({ scope: unit, documentId });
    await client.evaluations.saveQuestion.mutate({
      ...{
        scope: unit,
        collection: 'post',
        query: '包裹 parcels',
        language: 'chinese',
        datasetIds: ['post'],
      },
      expected: [{ documentId, chunkId: items[0]?.id as string }],
    });
    await client.documents.delete.mutate({ scope: unit, documentId });
    const page = await open('/search?tenant=acme&unit=gone&view=collections', {
      language: 'zh',
      colorScheme: 'dark',
    });
    await page.getByText('已不存在').waitFor();
    await page.getByRole('button', { name: '运行', exact: true }).click();
    await page.getByText('1 个期望的分块中有 1 个已不存在').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'search-collection-gone-zh-dark');
    await page.getByRole('link', { name: '提问', exact: true }).last().click();
    await page.getByText('1 个期望的分块已不存在，保存时将略去。').waitFor();
    await screenshot(page, 'search-judge-gone-zh-dark');
    await page.goto('/search?tenant=acme&unit=gone&view=collections');
    await page.getByRole('button', { name: '移除' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '移除' }).click();
    await page.getByRole('heading', { name: '尚未保存任何问题' }).waitFor();
  });

  test('synonyms are added, imported, measured, changed and removed', async () => {
    const client = app.trpc();
    const unit = { tenantId: 'acme', tenantUnitId: 'words' };
    const { id: documentId } = await client.documents.create.mutate({
      scope: unit,
      documentType: 'UnstructuredFile',
      documentName: 'Notebooks',
      documentContent: 'A notebook is repaired within two years. 笔记本电脑保修两年。',
      datasetIds: ['shop'],
    });
    await app.settle();
    const { items } = await client.chunks.list.query({ scope: unit, documentId });
    const expected = [{ documentId, chunkId: items[0]?.id as string }];
    for (const query of ['laptop', 'notebook']) {
      const judged = { scope: unit, collection: 'words', query, datasetIds: ['shop'], expected };
      await client.evaluations.saveQuestion.mutate(judged);
    }
    const page = await open('/search?tenant=acme&unit=words');
    await page.getByRole('link', { name: 'Synonyms' }).click();
    await page.getByRole('heading', { name: 'No synonyms yet' }).waitFor();
    await screenshot(page, 'search-synonyms-none');
    await page.getByRole('button', { name: 'Add synonyms' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Words', { exact: true }).fill('laptop, notebook');
    await dialog.getByLabel('Only in these datasets; all if empty').fill('shop');
    await dialog.getByLabel('Only in these datasets; all if empty').press('Enter');
    await dialog.getByRole('button', { name: 'Remove shop', exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const rows = page.getByRole('table', { name: 'Synonyms' }).getByRole('row');
    await rows.filter({ hasText: 'laptop, notebook' }).filter({ hasText: 'shop' }).waitFor();

    const effect = page.getByRole('region', { name: 'What the synonyms change' });
    await effect.getByRole('button', { name: 'Compare' }).click();
    await effect.getByText('1 of 2 questions changed.').waitFor();
    const cells = (name: string) =>
      effect.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts();
    expect(await cells('laptop')).toEqual(['0.000', '1.000 +1.000', '0.000', '1.000 +1.000']);
    expect(await cells('All questions')).toEqual(['0.500', '1.000 +0.500', '0.500', '1.000 +0.500']);
    await expectAccessible(page);
    await screenshot(page, 'search-synonyms');

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByLabel('Rules, one on each line').fill('alone\ntv => television');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByText('Line 1: the terms must be at least two, or say what else to search.').waitFor();
    forgive(/status of 422/);
    await dialog.getByLabel('Rules, one on each line').fill('tv => television');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await rows.filter({ hasText: 'tv → television' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    expect((await download).suggestedFilename()).toBe('synonyms.txt');

    await page.getByRole('button', { name: 'Edit: tv' }).click();
    await dialog.getByLabel('Words that they also find').fill('television, screen');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rows.filter({ hasText: 'tv → television, screen' }).waitFor();
    await page.getByRole('button', { name: 'Remove: tv' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => rows.count()).toBe(2);

    await page.goto('/search?tenant=acme&unit=words&q=laptop&datasets=shop');
    await page.getByText('laptop: notebook').waitFor();
    const zh = await open('/search?tenant=acme&unit=words&view=synonyms', {
      language: 'zh',
      colorScheme: 'dark',
    });
    await zh.getByRole('heading', { name: '同义词带来的变化' }).waitFor();
    await expectAccessible(zh);
    await expectNoOverflow(zh);
    await screenshot(zh, 'search-synonyms-zh-dark');
  });

  test('a question that is too long for an address is answered', async () => {
    const page = await open(AT);
    await page.getByRole('button', { name: 'Remove shop', exact: true }).waitFor();
    await page.getByLabel('Question', { exact: true }).fill(`postage ${'退货运费'.repeat(200)}`);
    await page.getByRole('button', { name: 'Ask' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Returns' })
      .locator('mark', { hasText: 'postage' })
      .waitFor();
  });

  test('what is missing is said', async () => {
    const page = await open('/search?tenant=acme');
    await page.getByRole('heading', { name: 'A search needs a unit' }).waitFor();
    await page.goto(`${AT}&q=zebra&datasets=shop`);
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await page.getByRole('button', { name: 'Remove shop', exact: true }).click();
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
    await page.getByText(/^1 hit · postgres · By words and meaning · [\d.]+ \w+$/).waitFor();
    const hit = page.getByRole('listitem').filter({ hasText: 'Doctors' });
    await expect
      .poll(() => hit.getByRole('term').allInnerTexts())
      .toEqual(['words', 'meaning', 'log odds of the score']);
    const sum = /^-\d\.\d\d \+ \d\.\d\d for words \+ \d\.\d\d for meaning = -?\d\.\d\d$/;
    await expect
      .poll(() => hit.getByRole('definition').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^[01]\.\d{3}$/),
        expect.stringMatching(/^[01]\.\d{3}$/),
        expect.stringMatching(sum),
      ]);
    await screenshot(page, 'search-by-meaning');
  });
});

describe.skipIf(!hasBrowser)('the search lab of somebody who may only search', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });

  test('asks and gives code that takes the key from the environment, but judges nothing', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'post' };
    const { key: writer } = await app.makeKey({ scope });
    await app.trpc({ 'x-api-key': writer }).documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentName: 'Parcels',
      datasetIds: ['faq'],
      documentContent: 'Parcels are sent on Mondays.',
    });
    await app.settle();
    const { key } = await app.makeKey({ scope, datasetIds: ['faq'], scopes: ['search'] });
    const page = await open('/search');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    forgive(/status of 401/);
    await page.goto('/search?tenant=acme&unit=post&q=parcels&datasets=faq');
    await page.getByRole('listitem').filter({ hasText: 'on Mondays' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Mark as expected' }).count()).toBe(0);
    await page.getByText('This search as code').click();
    const command = (await page.getByRole('region', { name: 'curl' }).textContent()) ?? '';
    expect(command).not.toContain(key);
    const env = { PATH: process.env.PATH, LECTERN_KEY: key };
    expect((await run('sh', ['-c', command], { env })).stdout).toContain('on Mondays');
    await page.getByRole('button', { name: 'Why is a chunk not found?' }).click();
    await page.getByLabel('Id of the chunk').waitFor();
  });
});
