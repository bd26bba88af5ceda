import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Permission } from '../../src/auth/permissions.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const documentType = 'UnstructuredFile';
const at = (tenant: string, more = '') => `/datasets?tenant=${tenant}${more}`;
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const namesOf = (page: Page) => page.getByRole('rowheader').allInnerTexts();
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true });

describe.skipIf(!hasBrowser)('the screen of datasets', () => {
  const { app, open, forgive } = useConsole();

  /** Documents without a text, which nothing is waited for. */
  async function create(tenantId: string, datasetIds: string[], count: number): Promise<string[]> {
    const { created } = await app.trpc().documents.createMany.mutate({
      scope: { tenantId, tenantUnitId: 'unit' },
      datasetIds,
      documents: Array.from({ length: count }, (_, n) => ({ title: `${datasetIds.join(' and ')} ${n}` })),
    });
    return created.map(({ id }) => id);
  }
  const datasetsOf = async (tenantId: string) => {
    const { items } = await app.trpc().datasets.list.query({ scope: { tenantId } });
    return items.map(({ datasetId, documents }) => [datasetId, documents]);
  };

  test('says where datasets come from', async () => {
    const page = await open(at('nobody'));
    await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'datasets-empty');
    await page.getByRole('main').getByRole('link', { name: 'Add documents' }).click();
    await page.waitForURL('**/documents?tenant=nobody');
  });

  describe('with some datasets', () => {
    beforeAll(async () => {
      for (const [tenantUnitId, datasetIds, documentContent] of [
        ['shop', ['manuals'], 'How the machine is cleaned.'],
        ['shop', ['faq'], 'Postage is free.'],
        ['shop', ['faq', 'manuals'], 'Returns take a week.'],
        ['shop', ['faq'], 'Gifts are wrapped.'],
        ['legal', ['合同'], '押金将在三十天内退还。'],
      ] as const) {
        await app.trpc().documents.create.mutate({
          scope: { tenantId: 'acme', tenantUnitId },
          documentType,
          datasetIds: [...datasetIds],
          documentContent,
        });
      }
      await app.settle();
    });

    test('each shows what it has, sorted and filtered as the address says', async () => {
      const page = await open('/overview?tenant=acme');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.keyboard.type('gt');
      await page.getByRole('heading', { name: 'Datasets', exact: true }).waitFor();
      await expect.poll(() => namesOf(page)).toEqual(['faq', 'manuals', '合同']);
      const cells = await row(page, 'faq').getByRole('cell').allInnerTexts();
      expect(cells.slice(0, 4)).toEqual(['3', '3', '54 B', '0']);
      expect(cells[4]).toMatch(/^(just now|\d+ (second|minute)s? ago)$/);
      await expectAccessible(page);
      await screenshot(page, 'datasets');

      const heading = (name: string) => page.getByRole('columnheader', { name, exact: true });
      await heading('Documents').getByRole('button').click();
      await expect.poll(() => heading('Documents').getAttribute('aria-sort')).toBe('descending');
      await expect.poll(() => namesOf(page)).toEqual(['faq', 'manuals', '合同']);
      await heading('Documents').getByRole('button').click();
      await expect.poll(() => namesOf(page)).toEqual(['合同', 'manuals', 'faq']);
      expect(new URL(page.url()).searchParams.get('sort')).toBe('documents');
      await page.reload();
      await expect.poll(() => namesOf(page)).toEqual(['合同', 'manuals', 'faq']);

      await heading('Searches').getByRole('button').click();
      await expect.poll(() => heading('Searches').getAttribute('aria-sort')).toBe('descending');
      await heading('Documents').getByRole('button').click();
      await heading('Documents').getByRole('button').click();
      await expect.poll(() => namesOf(page)).toEqual(['合同', 'manuals', 'faq']);

      await page.getByLabel('Name of the dataset').fill('AN');
      await expect.poll(() => namesOf(page)).toEqual(['manuals']);
      expect(new URL(page.url()).searchParams.get('name')).toBe('AN');
      await page.getByLabel('Name of the dataset').fill('none');
      await page.getByRole('heading', { name: 'No dataset has this in its name' }).waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await expect.poll(() => namesOf(page)).toEqual(['合同', 'manuals', 'faq']);
    });

    test('each leads to its documents, and to searches in it', async () => {
      const page = await open(at('acme', '&unit=shop'));
      await row(page, 'manuals').getByRole('link', { name: '2 documents of manuals', exact: true }).click();
      await page.getByText('2 documents', { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('dataset')).toBe('manuals');
      await page.goBack();
      await row(page, 'manuals').getByRole('link', { name: 'Search in manuals', exact: true }).click();
      await page.getByRole('button', { name: 'Remove manuals', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Remove faq', exact: true }).count()).toBe(0);
      await page.getByRole('combobox', { name: 'Question', exact: true }).fill('postage');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();

      // Suggestions, by the keyboard alone.
      const field = page.getByRole('combobox', { name: 'Datasets', exact: true });
      const option = (name: RegExp) => page.getByRole('option', { name });
      await field.focus();
      await page.keyboard.press('ArrowDown');
      await option(/^faq/).waitFor();
      await expectAccessible(page);
      await screenshot(page, 'datasets-picker');
      await page.keyboard.press('Escape');
      await option(/^faq/).waitFor({ state: 'detached' });
      await page.keyboard.type('F');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remove faq', exact: true }).waitFor();
      await page.keyboard.type('unknown');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remove unknown', exact: true }).waitFor();
      await page.keyboard.press('Backspace');
      await page.getByRole('button', { name: 'Remove unknown', exact: true }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByText('Postage is free.', { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('datasets')).toBe('manuals,faq');
    });

    test('both languages fit into a narrow window', async () => {
      for (const language of ['en', 'zh'] as const) {
        const page = await open(at('acme'), { language, colorScheme: 'dark' });
        await row(page, '合同').waitFor();
        await screenshot(page, `datasets-${language}-dark`);
        await page.setViewportSize({ width: 400, height: 800 });
        await page.getByLabel(language === 'zh' ? '排序' : 'Sort by').selectOption('-documents');
        await expect.poll(() => namesOf(page)).toEqual(['faq', 'manuals', '合同']);
        await expectNoOverflow(page);
        await expectAccessible(page);
        await screenshot(page, `datasets-${language}-narrow`);
      }
    });
  });

  test('a dataset is renamed, or merged with one that is there, and either is undone', async () => {
    await create('names', ['old'], 2);
    await create('names', ['taken'], 1);
    const page = await open(at('names'));
    await row(page, 'old').getByRole('button', { name: 'Rename old', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename old' });
    await dialog.getByText('No changes yet', { exact: true }).waitFor();
    await dialog.getByLabel('New name').fill('new');
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await toast(page, '2 documents were moved to new.').waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['new', 'taken']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await toast(page, '2 documents were moved back.').waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['old', 'taken']);

    await row(page, 'old').getByRole('button', { name: 'Rename old', exact: true }).click();
    await dialog.getByLabel('New name').fill('taken');
    const merge = dialog.getByRole('button', { name: 'Merge', exact: true });
    await merge.waitFor();
    expect(await merge.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel('Merge the two', { exact: true }).check();
    await screenshot(page, 'datasets-merge');
    await merge.click();
    await toast(page, '2 documents were moved to taken.').waitFor();
    expect(await datasetsOf('names')).toEqual([['taken', 3]]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => namesOf(page)).toEqual(['old', 'taken']);
    expect(await datasetsOf('names')).toEqual([
      ['old', 2],
      ['taken', 1],
    ]);
  });

  test('keys that keep the old name of a dataset are counted before it is renamed', async () => {
    const scope = { tenantId: 'named' };
    await create('named', ['old'], 1);
    const keys = app.trpc().apiKeys;
    const fields = { scope, scopes: ['search' as const], name: 'Website', datasetIds: ['old'] };
    const issued = await Promise.all([1, 2, 3].map(() => keys.create.mutate(fields)));
    await keys.revoke.mutate({ scope, keyId: issued[0]?.id as string });
    const page = await open(at('named'));
    await row(page, 'old').getByRole('button', { name: 'Rename old', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename old' });
    await dialog.getByText(/^2 active API keys name this dataset, and will not reach/).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'datasets-rename-keys');
  });

  test('many documents are moved step by step, and go on after an interruption', async () => {
    await create('large', ['inbox'], 250);
    await create('large', ['archive'], 1);
    const page = await open(at('large'));
    await row(page, 'inbox')
      .getByRole('button', { name: 'Move the documents of inbox', exact: true })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Move 250 documents' });
    await dialog.getByText('Missing: Target dataset', { exact: true }).waitFor();
    await dialog.getByLabel('Target dataset').fill('arch');
    await dialog.getByRole('option', { name: /^archive/ }).click();
    await dialog.getByRole('listbox').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Remove archive', exact: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'datasets-move');
    let calls = 0;
    await page.route('**/documents.setDatasetsMany?*', (route) => {
      calls += 1;
      return calls === 2 ? route.abort() : route.continue();
    });
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Change of datasets' });
    await bar.getByRole('alert').waitFor();
    expect(await bar.getByRole('alert').textContent()).toBe(
      'Interrupted after 100 of 250 documents: The server does not answer.',
    );
    forgive(/ERR_FAILED/);
    expect(await datasetsOf('large')).toEqual([
      ['archive', 101],
      ['inbox', 150],
    ]);
    await row(page, 'inbox').getByText('150', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await screenshot(page, 'datasets-interrupted');
    await bar.getByRole('button', { name: 'Go on', exact: true }).click();
    await toast(page, '250 documents were moved to archive.').waitFor();
    await bar.waitFor({ state: 'detached' });
    expect(await datasetsOf('large')).toEqual([['archive', 251]]);
  });

  test('selected documents are moved to another dataset', async () => {
    await create('some', ['inbox', 'both'], 3);
    const page = await open('/documents?tenant=some&unit=unit&dataset=inbox');
    await page.getByLabel('Select inbox and both 1', { exact: true }).check();
    const selection = page.getByRole('region', { name: 'Selected documents' });
    await selection.getByRole('button', { name: 'Move to a dataset', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 1 document' });
    await dialog.getByLabel('Target dataset').fill('done');
    await dialog.getByLabel('Target dataset').press('Enter');
    await dialog.getByRole('button', { name: 'Remove done', exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await toast(page, '1 document was moved to done.').waitFor();
    await page.getByText('2 documents', { exact: true }).waitFor();
    expect(await datasetsOf('some')).toEqual([
      ['both', 3],
      ['done', 1],
      ['inbox', 2],
    ]);
  });

  test('a dataset is deleted when it is no longer undone; what is in others, too, stays there', async () => {
    await create('bin', ['doomed'], 3);
    await create('bin', ['doomed', 'kept'], 1);
    const page = await open(at('bin'));
    const ask = async () => {
      await row(page, 'doomed').getByRole('button', { name: 'Delete doomed', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete doomed?' });
      await dialog.getByText('4 documents will be deleted, with chunks and files.').waitFor();
      await screenshot(page, 'datasets-delete');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await toast(page, 'doomed will be deleted, with 4 documents.').waitFor();
      await row(page, 'doomed').waitFor({ state: 'detached' });
    };
    await ask();
    expect(await datasetsOf('bin')).toEqual([
      ['doomed', 4],
      ['kept', 1],
    ]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await row(page, 'doomed').waitFor();
    await ask();
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await toast(page, '4 documents of doomed were deleted or taken out.').waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['kept']);
    expect(await datasetsOf('bin')).toEqual([['kept', 1]]);
    expect((await app.trpc().documents.list.query({ scope: { tenantId: 'bin' } })).totalCount).toBe(1);
  });
});

describe.skipIf(!hasBrowser)('the screen of datasets, with a key', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });

  async function openAs(scopes: Permission[]): Promise<Page> {
    const { key } = await app.makeKey({ scope: { tenantId: 'acme' }, scopes });
    const page = await open(at('acme'));
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    forgive(/status of 401/);
    return page;
  }

  test('shows what it may read, and offers what it may do', async () => {
    const { key } = await app.makeKey({ scope: { tenantId: 'acme' } });
    await app.trpc({ 'x-api-key': key }).documents.create.mutate({
      scope: { tenantId: 'acme', tenantUnitId: 'unit' },
      documentType,
      datasetIds: ['faq'],
    });
    const reader = await openAs(['documents:read']);
    await row(reader, 'faq').waitFor();
    expect(await row(reader, 'faq').getByRole('button').count()).toBe(0);
    expect(await reader.getByRole('link', { name: 'Search in faq', exact: true }).count()).toBe(0);
    const searcher = await openAs(['search']);
    await searcher.getByRole('heading', { name: 'You may not do this here' }).waitFor();
  });
});
