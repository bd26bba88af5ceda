import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { startEngineServer } from '../support/engine-server.js';
import { httpExtraction } from '../support/extracted-documents.js';
import { scannedPdf } from '../support/scans/scanned-pdf.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'scans' };
const LIST = '/documents?tenant=acme&unit=scans';
const NARROW = { width: 600, height: 900 };
const WIDE = { width: 1280, height: 800 };

const SCAN = 'A purple walrus signs here.';
const gray = new Uint8Array(300 * 300).fill(255).fill(0, 500, 560);
const scan = { gray, width: 300, height: 300 };
const file = (name: string, pages: Parameters<typeof scannedPdf>[0]) => ({
  name,
  mimeType: 'application/pdf',
  buffer: scannedPdf(pages),
});
const mixed = file('delivery.pdf', [{ text: 'The first page has text of its own.' }, scan]);
const onlyScan = file('signature.pdf', [scan]);

describe.skipIf(!hasBrowser)('who reads a document', async () => {
  /** What the engine waits for. */
  let held = Promise.resolve();
  const engine = await startEngineServer(async ({ method, headers }) => {
    if (method !== 'POST') return {};
    await held;
    const isPicture = headers['content-type'] === 'image/png';
    const body = isPicture ? SCAN : `# Delivery\n\nThe first page has text of its own.\f${SCAN}`;
    return { headers: { 'content-type': 'text/markdown' }, body };
  });
  afterAll(() => engine.close());
  const { app, open, forgive } = useConsole({
    extraction: httpExtraction(engine.url, { pageQuota: 40 }),
  });
  const readersOf = async () => {
    const { items } = await app.trpc().documents.list.query({ scope });
    return items.map(({ documentName, extraction }) => [documentName, extraction]);
  };

  async function addFile(page: Page, given: ReturnType<typeof file>) {
    await page.getByRole('button', { name: 'Add documents' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add documents' });
    await dialog.locator('input[type=file]').setInputFiles(given);
    return dialog;
  }

  test('is chosen by what each makes of a file, side by side or in tabs', async () => {
    const page = await open(LIST);
    const dialog = await addFile(page, mixed);
    const reader = dialog.getByRole('combobox', { name: 'Read by' });
    expect(await reader.locator('option').allTextContents()).toEqual([
      'Automatic: as the server is configured',
      'Lectern alone',
      'Extraction engine: HTTP engine',
    ]);
    const preview = dialog.getByRole('region', { name: 'Preview of the chunks' });
    await preview.getByRole('switch', { name: 'Compare Lectern with HTTP engine' }).press('Space');
    let answer = () => {};
    held = new Promise((resolve) => {
      answer = resolve;
    });
    await preview.getByRole('button', { name: 'Preview the chunks' }).click();
    const [own, others] = [
      preview.getByRole('region', { name: 'Lectern', exact: true }),
      preview.getByRole('region', { name: 'HTTP engine', exact: true }),
    ];
    await own.getByText('1 chunk', { exact: true }).waitFor();
    await own.getByText('Pages with pictures only').waitFor();
    await others.getByText('Splitting …').waitFor();
    answer();
    await others.getByText('2 chunks', { exact: true }).waitFor();
    expect(await others.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/Read by HTTP engine · .*The first page has text of its own\./s),
      expect.stringMatching(/page 2 · Read by HTTP engine · .*A purple walrus signs here\./s),
    ]);
    await screenshot(page, 'documents-compare');
    await expectAccessible(page);
    expect(await others.getByRole('button', { name: 'Use HTTP engine' }).getAttribute('aria-pressed')).toBe(
      'false',
    );
    await others.getByRole('button', { name: 'Use HTTP engine' }).press('Enter');
    expect(await reader.inputValue()).toBe('engine');
    await own.getByRole('button', { name: 'Use Lectern' }).click();
    expect(await reader.inputValue()).toBe('own');

    await page.setViewportSize(NARROW);
    const tab = (name: string) => preview.getByRole('tab', { name, exact: true });
    expect(await tab('Lectern').getAttribute('aria-selected')).toBe('true');
    await tab('Lectern').press('ArrowRight');
    await preview.getByText('A purple walrus signs here.').waitFor();
    await preview.getByRole('button', { name: 'Use HTTP engine' }).click();
    await screenshot(page, 'documents-compare-narrow');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await page.setViewportSize(WIDE);
    expect(await reader.inputValue()).toBe('engine');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(readersOf).toEqual([['delivery.pdf', 'engine']]);
  });

  test('is compared where one of them finds no text', async () => {
    const page = await open(LIST, { colorScheme: 'dark' });
    const dialog = await addFile(page, onlyScan);
    const preview = dialog.getByRole('region', { name: 'Preview of the chunks' });
    await preview.getByRole('switch').click();
    await preview.getByRole('button', { name: 'Preview the chunks' }).click();
    const own = preview.getByRole('region', { name: 'Lectern', exact: true });
    await own.getByRole('alert').waitFor();
    await preview
      .getByRole('region', { name: 'HTTP engine' })
      .getByText('A purple walrus signs here.')
      .waitFor();
    await screenshot(page, 'documents-compare-failed');
    await expectAccessible(page);
    forgive(/422/);
    await preview.getByRole('switch').click();
    await own.waitFor({ state: 'detached' });
    await dialog.getByLabel('Read by').selectOption('own');
    await preview.getByRole('button', { name: 'Preview the chunks' }).click();
    await preview.getByRole('alert').waitFor();
    forgive(/422/);
    await dialog.getByRole('tab', { name: 'Text' }).click();
    expect(await dialog.getByLabel('Read by').count()).toBe(0);
    expect(await preview.getByRole('switch').count()).toBe(0);
  });

  test('is shown, and changed with the properties or when it is processed again', async () => {
    const { fileId } = await app.trpc().files.upload.mutate(new Blob([new Uint8Array(mixed.buffer)]));
    const { id } = await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentName: 'order.pdf',
      file: { fileId, fileName: 'order.pdf', mediaType: 'application/pdf' },
    });
    await app.settle();
    const readerOf = async () => (await app.trpc().documents.get.query({ scope, documentId: id })).extraction;
    const page = await open(`/documents/${id}?tenant=acme&unit=scans`);
    const chunk = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Chunk 2', exact: true }) });
    await chunk.getByText('Read by HTTP engine').waitFor();
    await screenshot(page, 'document-extracted');
    await page.getByRole('link', { name: 'Properties' }).click();
    await page.getByLabel('Read by').selectOption('engine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('definition').getByText('Extraction engine: HTTP engine').waitFor();
    expect(await readerOf()).toBe('engine');
    await page.getByText('Ready').waitFor();
    await screenshot(page, 'document-reader');
    await expectAccessible(page);
    await app.settle();
    await page.getByRole('button', { name: 'Process again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Process this document again' });
    expect(await dialog.getByLabel('Read by').inputValue()).toBe('engine');
    await dialog.getByLabel('Read by').selectOption('auto');
    await screenshot(page, 'document-reprocess');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Process again' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await readerOf()).toBe('auto');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('extraction engine').first().waitFor();
    await app.settle();
  });

  test('is asked in Chinese, too', async () => {
    const page = await open(LIST, { language: 'zh' });
    await page.getByRole('button', { name: '添加文档' }).first().click();
    const dialog = page.getByRole('dialog', { name: '添加文档' });
    const readers = dialog.getByRole('combobox', { name: '读取方式', exact: true }).locator('option');
    await expect
      .poll(() => readers.allTextContents())
      .toEqual(['自动：按服务器配置', '仅 Lectern', '提取引擎：HTTP 引擎']);
    await dialog.locator('input[type=file]').setInputFiles(mixed);
    await dialog.getByRole('switch', { name: '比较 Lectern 与 HTTP 引擎' }).click();
    await dialog.getByRole('button', { name: '预览分块' }).click();
    await dialog.getByText('由 HTTP 引擎 读取').last().waitFor();
    await screenshot(page, 'documents-compare-zh');
    await expectAccessible(page);
  });
});

describe.skipIf(!hasBrowser)('without an engine', () => {
  const { app, open } = useConsole();

  test('there is no choice, but what is stored is shown', async () => {
    const { id } = await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentContent: 'Herons stand in the water.',
      extraction: 'engine',
    });
    await app.settle();
    const page = await open(LIST);
    await page.getByRole('button', { name: 'Add documents' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add documents' });
    await dialog.getByRole('button', { name: 'Preview the chunks' }).waitFor();
    expect(await dialog.getByLabel('Read by').count()).toBe(0);
    expect(await dialog.getByRole('switch').count()).toBe(0);
    await page.goto(`/documents/${id}?tenant=acme&unit=scans&view=properties`);
    await page.getByText('Extraction engine: none is configured').waitFor();
    expect(await page.getByLabel('Read by').count()).toBe(0);
    const { updatedTime } = await app.trpc().documents.get.query({ scope, documentId: id });
    await page.getByRole('button', { name: 'Process again' }).click();
    const changed = async () => {
      const document = await app.trpc().documents.get.query({ scope, documentId: id });
      return [document.updatedTime !== updatedTime, document.extraction];
    };
    await expect.poll(changed).toEqual([true, 'engine']);
    await app.settle();
  });
});
