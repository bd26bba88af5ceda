import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('the documents screen', () => {
  const { app, open, forgive } = useConsole({ fetchAllowHosts: ['127.0.0.1'] });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const at = (unit: string) => `/documents?tenant=acme&unit=${unit}`;
  const list = async (tenantUnitId: string) =>
    (await app.trpc().documents.list.query({ scope: { tenantId: 'acme', tenantUnitId } })).items;

  test('a pasted text is previewed, becomes a document, and is switched off and deleted', async () => {
    const page = await open(at('text'));
    await page.getByRole('heading', { name: 'No documents here' }).waitFor();
    await screenshot(page, 'documents-empty');
    await page.getByRole('button', { name: 'Add documents', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add documents' });
    const hasFocus = (name: string) =>
      dialog.getByRole('textbox', { name, exact: true }).evaluate((field) => field.matches(':focus'));
    await dialog.getByRole('tab', { name: 'Text', exact: true }).click();
    await expect.poll(() => hasFocus('Text')).toBe(true);
    await dialog.getByRole('tab', { name: 'Files', exact: true }).click();
    await dialog.getByRole('tab', { name: 'Files', exact: true }).press('ArrowRight');
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
    expect(await hasFocus('Text')).toBe(false);
    await dialog.getByLabel('Name').fill('Returns.md');
    const text = '# Returns\n\nGoods can be sent back within 30 days.\n\n# Repairs\n\nThey take a week.';
    await dialog.getByRole('textbox', { name: 'Text' }).fill(text);
    for (const dataset of ['handbook', 'faq']) {
      await dialog.getByLabel('Datasets').fill(dataset);
      await dialog.getByLabel('Datasets').press('Enter');
    }
    await dialog.getByRole('button', { name: 'Remove handbook', exact: true }).waitFor();
    await expect.poll(() => dialog.getByLabel('Unit').inputValue()).toBe('text');
    await dialog.getByText('Chunking options').click();
    await dialog.getByLabel('Most characters of a chunk').fill('50');
    const preview = dialog.getByRole('region', { name: 'Preview of the chunks' });
    await preview.getByRole('button').click();
    await preview.getByText('chunking.size').waitFor();
    forgive(/422/);
    await dialog.getByLabel('Most characters of a chunk').fill('100');
    await preview.getByRole('button').click();
    await preview.getByText('Returns.md: 2 chunks').waitFor();
    await expect
      .poll(() => preview.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringContaining('Goods can be sent back'),
        expect.stringContaining('They take a week.'),
      ]);
    expect(await list('text')).toEqual([]);
    await screenshot(page, 'documents-add-text');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await row(page, 'Returns.md').getByText('Ready').waitFor();
    await expect
      .poll(() => row(page, 'Returns.md').locator('th, td').allInnerTexts())
      .toEqual([
        '',
        'Returns.md',
        'Markdown',
        'faq, handbook',
        'Ready',
        '',
        '2',
        '79 B',
        expect.stringMatching(/^(just now|\d+ (second|minute)s? ago)$/),
        '',
      ]);
    const [document] = await list('text');
    expect(document?.chunking).toEqual({ size: 100 });
    const updated = row(page, 'Returns.md').locator('time');
    await expect.poll(() => updated.getAttribute('datetime')).toBe(document?.updatedTime);
    expect(await updated.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/);
    await expect
      .poll(() => page.getByRole('link', { name: 'Returns.md' }).getAttribute('href'))
      .toBe(`/documents/${document?.id}?tenant=acme&unit=text`);

    // It keeps the focus while it is saved.
    const enabled = page.getByRole('switch', { name: 'Enabled: Returns.md', exact: true });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/trpc/documents.setEnabled**', async (route) => {
      await asked;
      await route.continue();
    });
    await enabled.press('Space');
    await expect.poll(() => enabled.getAttribute('aria-disabled')).toBe('true');
    await enabled.press('Space');
    expect(await enabled.evaluate((box) => box.matches(':focus'))).toBe(true);
    answer();
    await expect.poll(() => enabled.getAttribute('aria-disabled')).not.toBe('true');
    expect(await enabled.evaluate((box) => box.matches(':focus'))).toBe(true);
    await page.unroute('**/trpc/documents.setEnabled**');
    await expect.poll(async () => (await list('text')).map(({ enabled }) => enabled)).toEqual([false]);
    await page.getByRole('button', { name: 'Delete Returns.md' }).click();
    const asking = page.getByRole('dialog', { name: 'Delete 1 document?' });
    await asking.getByText('2 chunks are deleted, too, and no longer found.').waitFor();
    await screenshot(page, 'documents-delete');
    await asking.getByRole('button', { name: 'Keep' }).click();
    expect(await list('text')).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete Returns.md' }).click();
    await asking.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No documents here' }).waitFor();
    expect(await list('text')).toEqual([]);
  });

  test('dropped files are uploaded with progress, cancelled and retried; one that cannot be read says what to do', async () => {
    const page = await open(at('files'));
    await page.getByRole('heading', { name: 'No documents here' }).waitFor();
    const files = [
      ...['contract.pdf', 'encrypted.pdf'].map((name) => ({
        name,
        base64: readFileSync(`packages/file-to-markdown/test/fixtures/${name}`, 'base64'),
      })),
      { name: 'large.txt', base64: Buffer.alloc(2_000_000, 'words and more ').toString('base64') },
    ];
    const dataTransfer = await page.evaluateHandle((given) => {
      const { DataTransfer, File } = globalThis as any;
      const transfer = new DataTransfer();
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      return transfer;
    }, files);
    await page.dispatchEvent('main', 'dragover', { dataTransfer });
    await page.getByText('Drop files to add them').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer });
    const dialog = page.getByRole('dialog', { name: 'Add documents' });
    await dialog.getByLabel('Datasets').fill('contracts');
    await dialog.getByLabel('Datasets').press('Enter');
    await dialog.getByRole('button', { name: 'Remove contracts', exact: true }).waitFor();
    const preview = dialog.getByRole('region', { name: 'Preview of the chunks' });
    await preview.getByLabel('Preview of', { exact: true }).selectOption('encrypted.pdf');
    await preview.getByRole('button', { name: 'Preview the chunks', exact: true }).click();
    await preview.getByText('The PDF is protected by a password', { exact: false }).waitFor();
    forgive(/422/);
    await screenshot(page, 'documents-add-files');
    // The first is not answered; the last takes its time.
    await page.route('**/files.upload', (route) => route.abort(), { times: 1 });
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('The server does not answer').waitFor();
    forgive(/ERR_FAILED/);
    await uploads.getByText(/^[1-9]\d? %$/).waitFor();
    await screenshot(page, 'documents-uploads');
    await uploads.getByRole('button', { name: 'Cancel large.txt' }).click();
    await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await uploads.getByRole('button', { name: /^Retry/ }).click();
    await row(page, 'contract.pdf').getByText('Ready').waitFor();
    const failed = row(page, 'encrypted.pdf');
    await failed.getByText('Failed').waitFor();
    const problem = failed.getByRole('paragraph');
    await expect
      .poll(() => problem.allTextContents())
      .toEqual(['The PDF is protected by a password; remove the password and upload it again.']);
    expect(await failed.getByRole('switch').count()).toBe(0);
    // The same file fails again.
    expect(await failed.getByRole('button', { name: /^Process again/ }).count()).toBe(0);
    await uploads.waitFor({ state: 'detached' });
    expect((await list('files')).map(({ documentName }) => documentName).sort()).toEqual([
      'contract.pdf',
      'encrypted.pdf',
    ]);
    await screenshot(page, 'documents');
  });

  describe('with a web server', () => {
    let server: Server;
    let isUp = false;
    let address: string;
    beforeAll(async () => {
      server = createServer((_req, res) => {
        if (isUp) res.setHeader('content-type', 'text/plain').end('Who pays for the postage? We do.');
        else res.writeHead(404).end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => server?.close());

    test('addresses become documents, others are named, and a failed one is processed again', async () => {
      const page = await open(at('pages'));
      await page.getByRole('button', { name: 'Add documents' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add documents' });
      await dialog.getByRole('tab', { name: 'Web pages' }).click();
      await dialog
        .getByLabel('Addresses, one on each line')
        .fill(`${address}/postage\n\nnot an address\n${address}/postage\n`);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByText('2 addresses were left out:').waitFor();
      await expect
        .poll(() => dialog.getByRole('listitem').allInnerTexts())
        .toEqual(['not an address not a web address', `${address}/postage listed twice`]);
      await dialog.getByRole('button', { name: 'Close' }).click();
      const postage = row(page, '/postage');
      await postage.getByText('Failed').waitFor();
      await postage.getByText(/404/).waitFor();
      // A card does not tell what there is none of.
      await page.setViewportSize({ width: 390, height: 844 });
      await expect
        .poll(() => postage.getByText('–', { exact: true }).filter({ visible: true }).count())
        .toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect
        .poll(() => postage.getByRole('paragraph').allTextContents())
        .toEqual(['The server answered with status 404; check that the page is public and still there.']);
      const chinese = await open(at('pages'), { language: 'zh' });
      await expect
        .poll(() => row(chinese, '/postage').getByRole('paragraph').allTextContents())
        .toEqual(['服务器返回错误。', '请在浏览器中打开该地址；能打开后再重新处理。']);
      isUp = true;
      await page.getByRole('button', { name: /^Process again: .*\/postage$/ }).click();
      await postage.getByText('Ready').waitFor();
      await expect.poll(() => postage.getByText(/404/).count()).toBe(0);
    });
  });

  test('of a long list only what is seen is drawn; filters and position are in the address', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'many' };
    const documents = Array.from({ length: 500 }, (_, place) => ({ documentName: `Note ${place}` }));
    const type = { documentType: 'UnstructuredFile' as const, datasetIds: ['notes'] };
    await app.trpc().documents.createMany.mutate({ scope, ...type, documents });
    await app.trpc().documents.create.mutate({ scope, documentType: 'StructuredFile', title: 'Tables' });
    const page = await open(at('many'));
    await page.getByText('501 documents').waitFor();
    const table = page.getByRole('table', { name: 'Documents' });
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('502');
    await row(page, 'Tables').waitFor();
    await expect.poll(() => table.locator('[data-index]').count()).toBeLessThan(50);

    const boxes = table.getByRole('checkbox');
    await boxes.first().focus();
    await page.keyboard.press('End');
    const last = table.locator('[aria-rowindex="502"]');
    await last.getByRole('link', { name: 'Note 0' }).waitFor();
    await expect.poll(() => last.getByRole('checkbox').evaluate((box) => box.matches(':focus'))).toBe(true);
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('row'))).toBeGreaterThan(400);
    await page.reload();
    await last.getByRole('link', { name: 'Note 0' }).waitFor();

    await page.getByLabel('Name, title or URL').fill('NOTE 49');
    await page.getByRole('listbox').getByRole('option', { name: 'Note 49', exact: true }).waitFor();
    await page.getByText('11 documents').waitFor();
    await page.getByLabel('Dataset').fill('notes');
    await expect.poll(() => new URL(page.url()).searchParams.get('dataset')).toBe('notes');
    await page.getByLabel('Status').selectOption('Waiting');
    await page.getByText('11 documents').waitFor();
    await page.getByLabel('Source', { exact: true }).selectOption('Table file');
    await page.getByRole('heading', { name: 'No document fits the filters' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      unit: 'many',
      name: 'NOTE 49',
      dataset: 'notes',
      status: 'created',
      type: 'StructuredFile',
    });
    await page.goBack();
    await page.getByText('11 documents').waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('501 documents').waitFor();
  });

  test('a new document goes into the dataset of the list, else the last or only one; the list says where it is in none', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'chosen' };
    const make = (documentName: string, datasetIds: string[]) =>
      app.trpc().documents.create.mutate({
        scope,
        documentType: 'UnstructuredFile',
        documentName,
        documentContent: 'Text.',
        datasetIds,
      });
    await make('Prices', ['shop']);
    const page = await open(at('chosen'));
    const dialog = page.getByRole('dialog', { name: 'Add documents' });
    const field = dialog.getByRole('textbox', { name: 'Text', exact: true });
    const openText = async () => {
      await page.getByRole('button', { name: 'Add documents', exact: true }).click();
      await dialog.getByRole('tab', { name: 'Text', exact: true }).click();
    };
    const chosen = (name: string) => dialog.getByRole('button', { name: `Remove ${name}`, exact: true });
    const add = dialog.getByRole('button', { name: 'Add', exact: true });

    await openText();
    await chosen('shop').click();
    await dialog.getByText('A search looks in datasets: a document without any is never found.').waitFor();
    expect(await add.isDisabled()).toBe(true);
    await dialog.getByText('Missing: Name', { exact: true }).waitFor();
    await field.fill('# **Opening** hours\n\nFrom nine.');
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Opening hours');
    await dialog.getByLabel('Name').fill('');
    await dialog.getByText('Missing: Name', { exact: true }).waitFor();
    await dialog.getByLabel('Name').fill('Hours');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Hours').getByText('In no dataset: not found by searches', { exact: true }).waitFor();
    await screenshot(page, 'documents-no-dataset');
    await row(page, 'Hours').getByRole('link', { name: 'Hours' }).click();
    await page.getByRole('link', { name: 'In no dataset: not found by searches' }).click();
    await page.getByLabel('Datasets').waitFor();
    await page.getByRole('link', { name: 'Documents', exact: true }).first().click();

    await make('Manual', ['faq']);
    await page.goto(at('chosen'));
    await openText();
    await dialog.getByText('A search looks in datasets: a document without any is never found.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Remove / }).count()).toBe(0);
    await dialog.getByLabel('Datasets').fill('shop');
    await dialog.getByLabel('Datasets').press('Enter');
    await field.fill('Last used');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    await openText();
    await chosen('shop').waitFor();
    await page.goto(`${at('chosen')}&dataset=faq`);
    await openText();
    await chosen('faq').waitFor();
    expect(await chosen('shop').count()).toBe(0);
    await field.fill('Filtered');
    await add.click();
    await row(page, 'Filtered').waitFor();
    expect(
      Object.fromEntries(
        (await list('chosen')).map(({ documentName, datasetIds }) => [documentName, datasetIds]),
      ),
    ).toEqual({ Prices: ['shop'], Hours: [], Manual: ['faq'], 'Last used': ['shop'], Filtered: ['faq'] });
  });

  test('a document leads back to the list as it was', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'back' };
    const documents = ['One', 'Two'].map((documentName) => ({ documentName }));
    await app.trpc().documents.createMany.mutate({ scope, datasetIds: ['notes'], documents });
    const page = await open(`${at('back')}&dataset=notes&order=name`);
    await row(page, 'One').getByRole('link', { name: 'One' }).click();
    await page.getByRole('heading', { name: 'One', exact: true }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: 'Documents', exact: true }).click();
    await row(page, 'Two').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      unit: 'back',
      dataset: 'notes',
      order: 'name',
    });
  });

  test('many are selected: switched off with an undo, and deleted by name', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'batch' };
    const documents = ['One', 'Two', 'Three', 'Four'].map((documentName) => ({ documentName }));
    await app.trpc().documents.createMany.mutate({ scope, documents });
    const page = await open(at('batch'));
    await page.getByLabel('Select One').check();
    await page.getByLabel('Select Three').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selected documents' });
    await bar.getByText('3 selected').waitFor();
    await screenshot(page, 'documents-selected');
    await expect.poll(() => bar.getByRole('button', { name: 'Cancel processing' }).isDisabled()).toBe(true);
    const enabled = async () => (await list('batch')).filter((one) => one.enabled).length;
    await bar.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('3 documents disabled.').waitFor();
    expect(await enabled()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 documents enabled.').waitFor();
    expect(await enabled()).toBe(4);

    await page.getByLabel('Select all').check();
    await bar.getByRole('button', { name: 'Process again' }).click();
    await page.getByText('4 documents without a source are left out.').waitFor();
    await page.getByRole('button', { name: 'Leave them' }).click();
    await page.getByLabel('Select Four').uncheck();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const asking = page.getByRole('dialog', { name: 'Delete 3 documents?' });
    expect((await asking.getByRole('listitem').allInnerTexts()).sort()).toEqual(['One', 'Three', 'Two']);
    await asking.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 documents deleted.').waitFor();
    expect((await list('batch')).map(({ documentName }) => documentName)).toEqual(['Four']);
    await bar.waitFor({ state: 'detached' });
  });

  test('samples are found within a minute, in Chinese, in the dark and on a telephone', async () => {
    const narrow = { language: 'zh', colorScheme: 'dark', viewport: { width: 400, height: 800 } } as const;
    const page = await open(at('samples'), narrow);
    await page.getByRole('button', { name: '添加示例文档' }).waitFor();
    await screenshot(page, 'documents-empty-zh-dark-narrow');
    await page.getByRole('button', { name: '添加示例文档' }).click();
    await page.getByText('示例文档已可检索。').waitFor({ timeout: 60_000 });
    await row(page, '退货与退款.md').getByText('就绪').waitFor();
    await expectNoOverflow(page);
    await screenshot(page, 'documents-zh-dark-narrow');
    await page.getByRole('button', { name: '添加文档' }).click();
    await page.getByRole('tab', { name: '存储桶' }).click();
    await expectNoOverflow(page);
    await screenshot(page, 'documents-add-bucket-zh-dark-narrow');
    await page.getByRole('button', { name: '取消', exact: true }).click();
    await page.getByRole('button', { name: '检索示例' }).click();
    await page.getByText('国内退货的邮费由我们承担').first().waitFor();
  });
});
