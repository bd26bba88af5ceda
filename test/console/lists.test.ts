import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const searchOf = (page: Page) => {
  const { tenant: _, unit: __, ...search } = Object.fromEntries(new URL(page.url()).searchParams);
  return search;
};

describe.skipIf(!hasBrowser)('lists are sorted and have the columns that the address says', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'notes' };

  beforeAll(async () => {
    const { documents, apiKeys, webhooks } = app.trpc();
    const documentType = 'UnstructuredFile' as const;
    const first = await documents.create.mutate({
      scope,
      documentType,
      documentName: 'beta',
      datasetIds: ['faq'],
    });
    for (const documentName of ['Alpha', 'gamma'])
      await documents.create.mutate({ scope, documentType, documentName });
    await documents.update.mutate({ scope, documentId: first.id, category: 'old' });
    for (const [name, expiresIn] of [
      ['beta', '30d'],
      ['Alpha', '10d'],
      ['gamma', undefined],
    ] as const)
      await apiKeys.create.mutate({ scope: { tenantId: 'acme' }, name, scopes: ['search'], expiresIn });
    for (const name of ['beta', 'alpha'])
      await webhooks.create.mutate({
        scope: { tenantId: 'acme' },
        url: `https://${name}.example/hook`,
        eventTypes: ['document.ready'],
      });
  });

  const names = (page: Page) => page.getByRole('rowheader').allInnerTexts();

  test('documents', async () => {
    const page = await open('/documents?tenant=acme&unit=notes');
    await expect.poll(() => names(page)).toEqual(['gamma', 'Alpha', 'beta']);
    await page.getByLabel('Sort by').selectOption('Last change');
    await expect.poll(() => names(page)).toEqual(['beta', 'gamma', 'Alpha']);
    const heading = (name: string) => page.getByRole('columnheader', { name, exact: true });
    expect(await heading('Last change').getAttribute('aria-sort')).toBe('descending');
    await page.getByLabel('Sort by').selectOption('Name');
    await expect.poll(() => names(page)).toEqual(['Alpha', 'beta', 'gamma']);
    expect(await heading('Name').getAttribute('aria-sort')).toBe('ascending');
    expect(searchOf(page)).toEqual({ order: 'name' });

    const titles = async () => (await page.getByRole('columnheader').allInnerTexts()).slice(1, -2);
    expect(await titles()).toEqual([
      'Name',
      'Type',
      'Datasets',
      'Status',
      'Enabled',
      'Chunks',
      'Size',
      'Last change',
    ]);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const menu = page.getByRole('group', { name: 'Columns' });
    await menu.getByLabel('Datasets', { exact: true }).uncheck();
    await menu.getByLabel('Changed by', { exact: true }).check();
    await expect
      .poll(titles)
      .toEqual(['Name', 'Type', 'Status', 'Enabled', 'Chunks', 'Size', 'Last change', 'Changed by']);
    await screenshot(page, 'lists-documents-columns');
    await expectAccessible(page);
    expect(searchOf(page)).toEqual({ order: 'name', columns: 'type,status,enabled,chunks,size,updated,by' });
    await page.reload();
    await expect
      .poll(titles)
      .toEqual(['Name', 'Type', 'Status', 'Enabled', 'Chunks', 'Size', 'Last change', 'Changed by']);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    for (const box of await menu.getByRole('checkbox').all()) await box.uncheck();
    await expect.poll(titles).toEqual(['Name']);
    expect(searchOf(page)).toEqual({ order: 'name', columns: 'none' });
    await expect.poll(() => names(page)).toEqual(['Alpha', 'beta', 'gamma']);
    await page.getByRole('button', { name: 'Usual columns' }).click();
    await expect.poll(() => searchOf(page)).toEqual({ order: 'name' });
    for (const name of ['Created', 'Changed by']) await menu.getByLabel(name, { exact: true }).check();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await screenshot(page, 'lists-documents-all-columns');
    await expectNoOverflow(page);

    // The browser keeps them, and an address that names some comes first.
    const withAll = await titles();
    expect(withAll.slice(-3)).toEqual(['Created', 'Last change', 'Changed by']);
    await page.goto('/documents?tenant=acme&unit=notes');
    await expect.poll(titles).toEqual(withAll);
    await page.goto('/documents?tenant=acme&unit=notes&columns=type');
    await expect.poll(titles).toEqual(['Name', 'Type']);
    await page.goto('/documents?tenant=acme&unit=notes');
    await expect.poll(titles).toEqual(withAll);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Usual columns' }).click();
    await expect.poll(titles).not.toContain('Created');
  });

  test('keys', async () => {
    const page = await open('/keys?tenant=acme');
    const keys = () => page.locator('tbody tr > :first-child > span').allInnerTexts();
    await expect.poll(keys).toEqual(['gamma', 'Alpha', 'beta']);
    const sortBy = (column: string) => page.getByRole('button', { name: column, exact: true }).click();
    const sorted = (column: string) =>
      page.getByRole('columnheader', { name: column, exact: true }).getAttribute('aria-sort');
    await sortBy('Name');
    await expect.poll(keys).toEqual(['Alpha', 'beta', 'gamma']);
    expect(await sorted('Name')).toBe('ascending');
    await sortBy('Name');
    await expect.poll(keys).toEqual(['gamma', 'beta', 'Alpha']);
    expect(await sorted('Name')).toBe('descending');
    await sortBy('Expires');
    await expect.poll(keys).toEqual(['Alpha', 'beta', 'gamma']);
    expect(searchOf(page)).toEqual({ sort: 'expiresTime' });
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('group', { name: 'Columns' }).getByLabel('Permissions', { exact: true }).uncheck();
    await expect
      .poll(() => searchOf(page))
      .toEqual({ sort: 'expiresTime', columns: 'status,reach,lastUsed,expires' });
    await screenshot(page, 'lists-keys-columns');
    await expectAccessible(page);
  });

  test('webhooks', async () => {
    const page = await open('/webhooks?tenant=acme');
    const urls = () => page.getByRole('link', { name: /^https/ }).allInnerTexts();
    await page.getByRole('button', { name: 'Address', exact: true }).click();
    const alpha = 'https://alpha.example/hook';
    const beta = 'https://beta.example/hook';
    await expect.poll(urls).toEqual([alpha, beta]);
    await page.getByRole('button', { name: 'Address', exact: true }).click();
    await expect.poll(urls).toEqual([beta, alpha]);
    expect(searchOf(page)).toEqual({ sort: '-url' });
  });

  test.each([
    ['documents', '/documents?tenant=acme&unit=notes&row=2', { order: 'name', columns: 'type,status' }],
    ['datasets', '/datasets?tenant=acme&page=2', { sort: '-documents' }],
    ['audit', '/audit?tenant=acme&page=2', { action: 'documents.create' }],
  ])('%s have views, which are kept for each list', async (list, plain, search) => {
    const page = await open(`${plain.replace(/&(row|page)=2/, '')}&${new URLSearchParams(search)}`);
    await page.getByRole('button', { name: 'Save as a view', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByLabel('Name of the view').fill('Mine');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const views = page.getByRole('navigation', { name: 'Saved views' });
    const link = views.getByRole('link', { name: 'Mine', exact: true });
    await link.and(page.locator('[aria-current]')).waitFor();
    expect(await page.getByRole('button', { name: 'Save as a view' }).count()).toBe(0);
    await expectAccessible(page);

    await page.goto(plain);
    await link.click();
    await expect.poll(() => searchOf(page)).toEqual(search);
    await screenshot(page, `lists-views-${list}`);
    await link.click();
    await expect.poll(() => searchOf(page)).toEqual({});
    for (const other of ['documents', 'datasets', 'audit', 'conversations'].filter((one) => one !== list)) {
      await page.goto(`/${other}?tenant=acme`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await views.count()).toBe(0);
    }
  });

  test('datasets, chunks and deliveries are saved as CSV; what was done is said', async () => {
    const place = { tenantId: 'saved', tenantUnitId: 'sales' };
    const { documents, webhooks } = app.trpc();
    const { id: webhookId } = await webhooks.create.mutate({
      scope: { tenantId: 'saved' },
      url: 'https://hooks.example/saved',
      eventTypes: ['document.created'],
    });
    const { id } = await documents.create.mutate({
      scope: place,
      documentType: 'UnstructuredFile',
      documentName: 'Returns',
      documentContent: 'Goods can be sent back within 30 days.',
      datasetIds: ['faq'],
    });
    await app.settle();
    const linesOf = async (page: Page) => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV', exact: true }).click();
      const text = await readFile(await (await saved).path(), 'utf8');
      return text.replace('\uFEFF', '').trim().split('\r\n');
    };
    const page = await open('/datasets?tenant=saved');
    const datasets = await linesOf(page);
    expect(datasets[0]).toBe('datasetId,documents,isLowerBound,chunks,bytes,searches,updatedTime,isPartial');
    expect(datasets[1]).toMatch(/^faq,1,false,1,38,/);
    expect(datasets).toHaveLength(2);

    await page.goto(`/documents/${id}?tenant=saved&unit=sales`);
    const chunks = await linesOf(page);
    expect(chunks[0]).toMatch(/^id,ordinal,content,/);
    expect(chunks[1]).toMatch(/,0,Goods can be sent back within 30 days\.,/);
    await page.goto(`/webhooks?tenant=saved&webhook=${webhookId}`);
    const deliveries = await linesOf(page);
    expect(deliveries[0]).toMatch(/^id,eventId,eventType,state,attempts,/);
    expect(deliveries[1]).toContain(',document.created,');

    await page.goto(`/documents/${id}?tenant=saved&unit=sales&view=properties`);
    await page.getByLabel('Title', { exact: true }).fill('How to send goods back');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Returns” was deleted.', { exact: true }).waitFor();
  });

  test('in Chinese, in the dark and on a telephone, cards are sorted, too', async () => {
    const narrow = { language: 'zh', colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;
    const keys = await open('/keys?tenant=acme', narrow);
    await keys.getByRole('button', { name: '名称', exact: true }).click();
    await expect
      .poll(() => keys.locator('tbody tr > :first-child > span').allInnerTexts())
      .toEqual(['Alpha', 'beta', 'gamma']);
    await keys.getByRole('button', { name: '列', exact: true }).click();
    await screenshot(keys, 'lists-keys-zh-dark-narrow');
    await expectNoOverflow(keys);
    await expectAccessible(keys);
    const documents = await open('/documents?tenant=acme&unit=notes', narrow);
    await documents.getByRole('button', { name: '筛选', exact: true }).click();
    await documents.getByLabel('排序').selectOption('名称');
    await documents.getByRole('button', { name: '列', exact: true }).click();
    await documents.getByRole('group', { name: '列' }).getByLabel('更改者', { exact: true }).check();
    await screenshot(documents, 'lists-documents-zh-dark-narrow');
    await expectNoOverflow(documents);
    await expectAccessible(documents);
  });
});
