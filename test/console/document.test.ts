import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
const documentType = 'UnstructuredFile' as const;
const HANDBOOK = Array.from(
  { length: 30 },
  (_, n) =>
    `Rule ${n + 1}. Parcels of kind ${n + 1} are sent back within ${n + 10} days, and we pay the postage.`,
).join('\n\n');

describe.skipIf(!hasBrowser)('the document screen', () => {
  const { app, open, forgive } = useConsole({ fetchAllowHosts: ['127.0.0.1'] });
  const at = (id: string, search = '') => `/documents/${id}?tenant=acme&unit=legal${search}`;
  const chunk = (page: Page, place: number) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: `Chunk ${place}`, exact: true }) });
  const source = (page: Page) => page.getByRole('region', { name: 'Source' });

  async function makeDocument(fields: object = {}): Promise<string> {
    const { id } = await app.trpc().documents.create.mutate({
      ...{ scope, documentType, documentName: 'Handbook', documentContent: HANDBOOK, datasetIds: ['faq'] },
      chunking: { size: 200, overlap: 40 },
      ...fields,
    });
    await app.settle();
    return id;
  }

  async function upload(name: string): Promise<string> {
    const { fileId } = await app
      .trpc()
      .files.upload.mutate(new Blob([readFileSync(`test/fixtures/${name}`)]));
    const file = { fileId, fileName: name, mediaType: 'application/pdf' };
    return makeDocument({ documentContent: undefined, documentName: name, file });
  }

  test('a chunk is lit up in the source, and the other way round', async () => {
    const page = await open(at(await makeDocument()));
    await chunk(page, 1).hover();
    const mark = source(page).locator('mark');
    await expect.poll(async () => (await mark.allInnerTexts()).join('')).toContain('Rule 1.');
    await screenshot(page, 'document-lit');
    await source(page).getByText('Rule 3.').hover();
    await expect
      .poll(() => page.locator('[data-lit]').getByRole('heading').first().innerText())
      .toMatch(/Chunk/);
    await page.getByRole('button', { name: 'Next' }).first().click();
    await screenshot(page, 'document-next');
  });

  test('pdf', async () => {
    const page = await open(at(await upload('contract.pdf')));
    await chunk(page, 1).waitFor();
    await screenshot(page, 'document-pdf-text');
    await page.getByRole('button', { name: 'PDF', exact: true }).click();
    await source(page)
      .getByText('of 3')
      .waitFor({ timeout: 5000 })
      .catch(() => {});
    await chunk(page, 1).hover();
    await page.waitForTimeout(1500);
    await screenshot(page, 'document-pdf');
    const other = await open(at(await upload('chinese.pdf')), { language: 'zh', colorScheme: 'dark' });
    await other.getByRole('button', { name: 'PDF', exact: true }).click();
    await other.waitForTimeout(2500);
    await screenshot(other, 'document-pdf-chinese');
  });

  test('edit', async () => {
    const page = await open(at(await makeDocument()));
    await page.getByRole('button', { name: 'Edit Chunk 2' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Text', { exact: true })
      .fill('Rule two. Parcels of any kind are sent back within 99 days.');
    await dialog.getByText('Changes against').waitFor();
    await dialog.locator('ins').first().waitFor();
    await screenshot(page, 'document-edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chunk(page, 2).getByText('Edited').waitFor();
    await screenshot(page, 'document-edited');
    await page.getByRole('link', { name: 'Properties' }).click();
    await page.getByLabel('Category').fill('rules');
    await page.getByRole('button', { name: 'Save' }).click();
    await screenshot(page, 'document-properties');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Chunk edited').waitFor();
    await screenshot(page, 'document-history');
  });

  test('narrow', async () => {
    const page = await open(at(await makeDocument()), {
      viewport: { width: 400, height: 800 },
      language: 'zh',
    });
    await page.getByRole('listitem').filter({ hasText: 'Rule 1.' }).first().waitFor();
    await screenshot(page, 'document-400-zh');
    await expectNoOverflow(page);
    forgive(/x{99}/);
  });
});
