import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('the documents screen', () => {
  const { app, open } = useConsole({ fetchAllowHosts: ['127.0.0.1'] });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const at = (unit: string) => `/documents?tenant=acme&unit=${unit}`;

  test('a pasted text becomes a document, which is switched off and deleted', async () => {
    const page = await open(at('text'));
    await page.getByRole('heading', { name: 'No documents here' }).waitFor();
    await screenshot(page, 'documents-empty');
    await page.getByRole('button', { name: 'Add text' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add text' });
    await dialog.getByLabel('Name').fill('Returns');
    await dialog.getByLabel('Text').fill('Goods can be sent back within 30 days. We pay the postage.');
    await dialog.getByLabel('Datasets').fill('handbook, faq');
    expect(await dialog.getByLabel('Unit').inputValue()).toBe('text');
    await screenshot(page, 'documents-add-text');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await row(page, 'Returns').getByText('Ready').waitFor();
    expect(await row(page, 'Returns').getByRole('cell').allInnerTexts()).toEqual([
      'Returns',
      'File',
      'faq, handbook',
      'Ready',
      '',
      '1',
      expect.stringMatching(/\d{4}/),
      'Delete',
    ]);

    await page.getByRole('switch', { name: 'Enabled: Returns' }).click();
    const scope = { tenantId: 'acme', tenantUnitId: 'text' };
    const list = () => app.trpc().documents.list.query({ scope });
    await expect.poll(async () => (await list()).items.map(({ enabled }) => enabled)).toEqual([false]);

    await page.getByRole('button', { name: 'Delete Returns' }).click();
    const asking = page.getByRole('dialog', { name: 'Delete this document?' });
    await asking.getByText('“Returns” and its 1 chunk will be gone').waitFor();
    await screenshot(page, 'documents-delete');
    await asking.getByRole('button', { name: 'Keep it' }).click();
    expect((await list()).totalCount).toBe(1);
    await page.getByRole('button', { name: 'Delete Returns' }).click();
    await asking.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No documents here' }).waitFor();
    expect((await list()).totalCount).toBe(0);
  });

  test('files that are dropped are uploaded; one that cannot be read says why', async () => {
    const page = await open(at('files'));
    await page.getByRole('heading', { name: 'No documents here' }).waitFor();
    const files = ['contract.pdf', 'encrypted.pdf'].map((name) => ({
      name,
      base64: readFileSync(`test/fixtures/${name}`, 'base64'),
    }));
    const dataTransfer = await page.evaluateHandle((given) => {
      const { DataTransfer, File } = globalThis as any;
      const transfer = new DataTransfer();
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: 'application/pdf' }));
      }
      return transfer;
    }, files);
    await page.dispatchEvent('main', 'dragover', { dataTransfer });
    await page.getByText('Drop files to add them').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer });
    const dialog = page.getByRole('dialog', { name: 'Add files' });
    await dialog.getByLabel('Datasets').fill('contracts');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => dialog.getByText('added', { exact: true }).count()).toBe(2);
    await screenshot(page, 'documents-add-files');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row(page, 'contract.pdf').getByText('Ready').waitFor();
    await row(page, 'encrypted.pdf').getByText('Failed').waitFor();
    await row(page, 'encrypted.pdf')
      .getByText(/password/i)
      .waitFor();
    await screenshot(page, 'documents');
  });

  describe('with a web server', () => {
    let server: Server;
    let isUp = false;
    beforeAll(async () => {
      server = createServer((_req, res) => {
        if (isUp) res.setHeader('content-type', 'text/plain').end('Who pays for the postage? We do.');
        else res.writeHead(404).end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
    });
    afterAll(() => server?.close());

    test('a failed document is mended by Retry', async () => {
      const { port } = server.address() as AddressInfo;
      const scope = { tenantId: 'acme', tenantUnitId: 'pages' };
      await app.trpc().documents.create.mutate({
        scope,
        documentType: 'UnstructuredWebpage',
        documentName: 'Postage',
        url: `http://127.0.0.1:${port}/postage`,
      });
      const page = await open(at('pages'));
      await row(page, 'Postage').getByText('Failed').waitFor();
      await row(page, 'Postage').getByText(/404/).waitFor();
      isUp = true;
      await page.getByRole('button', { name: 'Retry Postage' }).click();
      await row(page, 'Postage').getByText('Ready').waitFor();
      expect(await row(page, 'Postage').getByText(/404/).count()).toBe(0);
    });
  });

  test('filters and page are in the address', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'many' };
    const notes = { scope, documentType: 'UnstructuredFile' as const, datasetIds: ['notes'] };
    const documents = Array.from({ length: 45 }, (_, place) => ({
      documentName: `Note ${place}`,
      documentContent: `The note number ${place}.`,
    }));
    await app.trpc().documents.createMany.mutate({ ...notes, documents });
    await app
      .trpc()
      .documents.create.mutate({ scope, documentType: 'StructuredFile', documentName: 'Empty' });
    await app.settle();
    const page = await open(at('many'));
    await page.getByText('1 to 20 of 46').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('21 to 40 of 46').waitFor();
    await page.reload();
    await page.getByText('21 to 40 of 46').waitFor();
    expect(new URL(page.url()).search).toBe('?tenant=acme&unit=many&page=2');

    await page.getByLabel('Dataset').fill('notes');
    await page.getByLabel('Dataset').press('Enter');
    await page.getByText('1 to 20 of 45').waitFor();
    await page.getByLabel('Status').selectOption('Ready');
    await page.getByLabel('Type').selectOption('Table file');
    await page.getByRole('heading', { name: 'No document fits the filters' }).waitFor();
    expect(new URL(page.url()).search).toBe(
      '?tenant=acme&unit=many&dataset=notes&status=ready&type=StructuredFile',
    );
    await page.goBack();
    await page.getByText('1 to 20 of 45').waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('1 to 20 of 46').waitFor();
  });
});
