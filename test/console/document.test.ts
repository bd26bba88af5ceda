import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
const HANDBOOK = Array.from(
  { length: 30 },
  (_, n) =>
    `Rule ${n + 1}. Parcels of kind ${n + 1} come back within ${n + 10} days, and we pay the postage.`,
).join('\n\n');

describe.skipIf(!hasBrowser)('the document screen', () => {
  const { app, open, forgive } = useConsole();
  const at = (id: string, search = '') => `/documents/${id}?tenant=acme&unit=legal${search}`;
  const source = (page: Page) => page.getByRole('region', { name: /^(Source|原文)$/ });
  const chunk = (page: Page, place: number) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: `Chunk ${place}`, exact: true }) });
  const segment = (page: Page, text: string) =>
    source(page).locator('[data-chunk]').filter({ hasText: text });
  /** A point in a line of a segment, for the mouse. */
  const placeOf = (page: Page, text: string) =>
    segment(page, text).evaluate((element): [number, number] => {
      element.scrollIntoView({ block: 'nearest' });
      const isLine = ({ width }: DOMRect) => width > 50;
      const { left, top, height } = [...element.getClientRects()].find(isLine) as DOMRect;
      return [left + 20, top + height / 2];
    });
  const marked = async (page: Page) => (await source(page).locator('[data-lit]').allTextContents()).join('');
  const litChunks = (page: Page) => page.locator('[data-lit]').getByRole('heading').allTextContents();

  async function makeDocument(fields: object = {}): Promise<string> {
    const { id } = await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentName: 'Handbook',
      documentContent: HANDBOOK,
      datasetIds: ['faq'],
      chunking: { size: 200, overlap: 40 },
      ...fields,
    });
    await app.settle();
    return id;
  }

  async function upload(path: string, fields: object = {}): Promise<string> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const bytes = readFileSync(path);
    const { fileId } = await app.trpc().files.upload.mutate(new Blob([bytes]));
    const file = { fileId, fileName: name, mediaType: 'application/pdf' };
    return makeDocument({ documentContent: undefined, documentName: name, file, ...fields });
  }

  test('a chunk under the pointer or the focus is lit up in the source, and the other way round', async () => {
    const page = await open(at(await makeDocument()));
    await chunk(page, 1).hover();
    await expect.poll(() => marked(page)).toContain('Rule 2. Parcels of kind 2');
    await screenshot(page, 'document');
    await expectAccessible(page);
    await page.getByLabel('Choose Chunk 4').focus();
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await expect.poll(() => marked(page)).toContain('Rule 7.');
    await segment(page, 'Rule 3.').hover();
    await expect.poll(() => litChunks(page)).toEqual(['Chunk 2']);
    await page.mouse.move(0, 0);
    await expect.poll(() => litChunks(page)).toEqual([]);

    await segment(page, 'Rule 29.').click();
    await page.getByText('11 to 15 of 15').waitFor();
    await chunk(page, 15).waitFor();
    await page.mouse.move(0, 0);
    await chunk(page, 11).hover();
    await expect.poll(() => marked(page)).toContain('Rule 21.');
  });

  test('a chunk is opened by a press on its text that lights it up', async () => {
    const page = await open(at(await makeDocument()));
    await segment(page, 'Rule 3.').hover();
    await expect.poll(() => litChunks(page)).toEqual(['Chunk 2']);
    const [x, y] = await placeOf(page, 'Rule 3.');
    await page.mouse.move(x, y);
    // As after a scroll, or a window in front: the pointer rests on text that is not lit up.
    await segment(page, 'Rule 3.').evaluate((element) =>
      element.parentElement?.dispatchEvent(new PointerEvent('pointerleave')),
    );
    await expect.poll(() => litChunks(page)).toEqual([]);
    await page.mouse.down();
    await page.mouse.move(x + 1, y);
    await expect.poll(() => litChunks(page)).toEqual(['Chunk 2']);
    await page.mouse.up();
    await page.locator('[aria-current]').filter({ hasText: 'Rule 3.' }).waitFor();
  });

  test('a chunk that is to be shown in the source stays marked there, and the page stays', async () => {
    const page = await open(at(await makeDocument()), { viewport: { width: 1280, height: 500 } });
    const show = (place: number) => page.getByRole('button', { name: `Show Chunk ${place} in the source` });
    await chunk(page, 1).waitFor();
    await show(2).scrollIntoViewIfNeeded();
    await page.evaluate(() =>
      addEventListener('pointermove', ({ screenX, screenY }) => {
        Object.assign(window, { rest: { screenX, screenY } });
      }),
    );
    await show(2).hover();
    const before = await page.evaluate(() => window.scrollY);
    await show(2).click();
    await expect.poll(() => litChunks(page)).toEqual(['Chunk 2']);
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    // The page moves, the pointer does not.
    await page.evaluate(() => window.scrollBy(0, 260));
    await chunk(page, 4).dispatchEvent('pointermove', await page.evaluate(() => (window as any).rest));
    expect(await litChunks(page)).toEqual(['Chunk 2']);
    expect(await marked(page)).toContain('Rule 3.');
    await chunk(page, 5).hover();
    await expect.poll(() => litChunks(page)).toEqual(['Chunk 5']);
    await page.mouse.move(0, 0);
    await expect.poll(() => litChunks(page)).toEqual([]);
  });

  test('who leaves changes of a document or chunk is asked, nobody else is', async () => {
    const page = await open(at(await makeDocument(), '&view=properties'));
    const asking = page.getByRole('dialog', { name: 'Discard changes?' });
    const history = page.getByRole('link', { name: 'History' });
    await page.getByLabel('Category').fill('rules');
    await history.click();
    await asking.waitFor();
    await expectAccessible(page);
    await asking.getByRole('button', { name: 'Keep editing' }).click();
    await asking.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Category').inputValue()).toBe('rules');
    await page.getByRole('main').getByRole('link', { name: 'Documents', exact: true }).click();
    await asking.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('link', { name: 'Handbook' }).first().click();
    await page.getByRole('link', { name: 'Properties' }).click();
    await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('');
    await history.click();
    await page.getByRole('heading', { name: 'Created' }).waitFor();

    await page.getByRole('link', { name: 'Chunks and source' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit Chunk 1' });
    const edit = page.getByRole('button', { name: 'Edit Chunk 1', exact: true });
    await edit.click();
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    await edit.click();
    await editor.getByLabel('Keywords').fill('mine');
    await page.keyboard.press('Escape');
    await asking.getByRole('button', { name: 'Keep editing' }).press('Enter');
    await asking.waitFor({ state: 'detached' });
    expect(await editor.getByLabel('Keywords').inputValue()).toBe('mine');
    await editor.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('Escape');
    await asking.waitFor({ state: 'detached' });
    await editor.getByRole('button', { name: 'Cancel' }).click();
    await asking.getByRole('button', { name: 'Discard' }).click();
    await editor.waitFor({ state: 'detached' });
    expect(await asking.count()).toBe(0);
  });

  test('a link to a chunk opens the list and the source at it, marked', async () => {
    const documentId = await makeDocument({
      documentContent: Array.from({ length: 300 }, (_, n) => `Rule ${n} of the house is kept by all.`).join(
        '\n\n',
      ),
    });
    const { items } = await app
      .trpc()
      .chunks.list.query({ scope, documentId, contains: 'Rule 250 ', pageSize: 1 });
    const page = await open(at(documentId, `&chunk=${items[0]?.id}`));
    await page.locator('[aria-current]').filter({ hasText: 'Rule 250 ' }).waitFor();
    await expect.poll(() => marked(page)).toContain('Rule 250 of the house');
    await expect.poll(() => litChunks(page)).toEqual([`Chunk ${items[0]!.ordinal + 1}`]);
    await screenshot(page, 'document-linked');
    await expectAccessible(page);
  });

  test('a PDF is shown as text page by page, and as it is printed', async () => {
    const page = await open(
      at(await upload('packages/file-to-markdown/test/fixtures/contract.pdf', { chunking: undefined })),
    );
    await source(page).getByRole('heading', { name: 'Page 2', exact: true }).waitFor();
    await chunk(page, 1).hover();
    await expect.poll(() => marked(page)).toContain('Sample Contract');
    await screenshot(page, 'document-pdf-text');
    await source(page).getByRole('button', { name: 'PDF' }).click();
    await source(page).getByRole('img', { name: 'Page 1' }).waitFor();
    await chunk(page, 1).hover();
    await source(page).locator('[aria-hidden] span').first().waitFor();
    expect(await inkOf(page)).toBeGreaterThan(1_000);
    await screenshot(page, 'document-pdf');
    await expectAccessible(page);
    // Places are parts of the page, also where the box shows less of it.
    await page.setViewportSize({ width: 1440, height: 600 });
    await chunk(page, 1).hover();
    const heights = () =>
      source(page)
        .locator('[aria-hidden] span')
        .first()
        .evaluate((mark: any) => [
          mark.offsetParent.clientHeight,
          mark.ownerDocument.querySelector('canvas').clientHeight,
        ]);
    await expect.poll(async () => new Set(await heights()).size).toBe(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    await source(page).getByRole('button', { name: 'Next' }).click();
    await source(page).getByRole('img', { name: 'Page 2' }).waitFor();
    await source(page).getByLabel('Page of 10').fill('10');
    await source(page).getByRole('img', { name: 'Page 10' }).waitFor();
    await chunk(page, 3).getByRole('button', { name: 'in the source' }).click();
    await source(page).getByRole('img', { name: 'Page 1', exact: true }).waitFor();
  });

  test('a Chinese PDF without fonts and a scanned one are drawn, too', async () => {
    const chinese = await open(at(await upload('packages/file-to-markdown/test/fixtures/chinese.pdf')), {
      language: 'zh',
      colorScheme: 'dark',
    });
    await source(chinese).getByRole('button', { name: 'PDF' }).click();
    await expect.poll(() => inkOf(chinese)).toBeGreaterThan(500);
    await chinese.getByRole('listitem').filter({ hasText: '用户可以上传多种文件' }).hover();
    await source(chinese).locator('[aria-hidden] span').first().waitFor();
    await screenshot(chinese, 'document-chinese-dark');

    // Its pages are pictures that only a decoder in WebAssembly reads.
    const scanned = await open(at(await upload('test/samples/scan-with-text-layer.pdf')));
    await source(scanned).getByRole('button', { name: 'PDF' }).click();
    await expect.poll(() => inkOf(scanned)).toBeGreaterThan(5_000);
    await screenshot(scanned, 'document-scanned');
  });

  test('a chunk is edited with its changes in view, and set back', async () => {
    const id = await makeDocument();
    const page = await open(at(id));
    const dialog = page.getByRole('dialog', { name: 'Edit Chunk 2' });
    await page.getByRole('button', { name: 'Edit Chunk 2' }).click();
    const text = dialog.getByLabel('Text', { exact: true });
    const before = await text.inputValue();
    await text.fill(before.replace('Rule 3.', 'Rule three.'));
    await dialog.getByLabel('Keywords').fill('returns, rule 3');
    await expect.poll(() => dialog.locator('ins').allTextContents()).toEqual(['three']);
    await expect.poll(() => dialog.locator('del').allTextContents()).toEqual(['3']);
    await screenshot(page, 'document-edit');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chunk(page, 2).getByText('Edited').waitFor();
    await chunk(page, 2).getByText('rule 3', { exact: true }).waitFor();
    await expect.poll(() => chunk(page, 2).textContent()).toContain('Rule three.');
    await page.getByRole('button', { name: 'Edit Chunk 2' }).click();
    await dialog.getByRole('button', { name: 'Back to the original' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chunk(page, 2).getByText('Edited').waitFor({ state: 'detached' });
    await expect.poll(() => chunk(page, 2).textContent()).toContain('Rule 3.');
  });

  test('who edits what somebody else has changed meanwhile is told, and loses nothing', async () => {
    const id = await makeDocument();
    const page = await open(at(id));
    await page.getByRole('button', { name: 'Edit Chunk 1', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text', { exact: true }).fill('Mine.');
    const [{ id: chunkId }] = (await app.trpc().chunks.list.query({ scope, documentId: id })).items as [any];
    await app.trpc().chunks.update.mutate({ scope, documentId: id, chunkId, content: 'Theirs.' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Somebody else has changed this chunk').waitFor();
    forgive(/412/);
    await screenshot(page, 'document-overtaken');
    await expect.poll(() => dialog.getByLabel('Text', { exact: true }).inputValue()).toBe('Mine.');
    await dialog.getByRole('button', { name: 'Keep my text' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => chunk(page, 1).textContent()).toContain('Mine.');
  });

  test('chunks are filtered, switched off and deleted, one or many', async () => {
    const page = await open(at(await makeDocument()));
    await page.getByRole('button', { name: 'Deactivate Chunk 3' }).click();
    await chunk(page, 3).getByText('Inactive').waitFor();
    await page.getByLabel('Choose Chunk 4').check();
    await page.getByLabel('Choose Chunk 5').check();
    await page.getByText('2 chunks chosen').waitFor();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await chunk(page, 5).getByText('Inactive').waitFor();
    await screenshot(page, 'document-chosen');
    await page.getByLabel('Status').selectOption('Inactive');
    await page.getByText('1 to 3 of 3').waitFor();
    await page.getByLabel('All on this page').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    const asking = page.getByRole('dialog', { name: 'Delete 3 chunks?' });
    await asking.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No chunk fits the filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('1 to 10 of 12').waitFor();
    await page.getByLabel('Text in the chunk').fill('rule 21.');
    await page.getByText('1 to 1 of 1').waitFor();
    expect(new URL(page.url()).search).toBe('?tenant=acme&unit=legal&text=rule+21.');
    expect(await page.locator('mark').allTextContents()).toEqual(['Rule 21.']);
  });

  test('the ids of a document and its chunks are copied', async () => {
    const documentId = await makeDocument();
    const { items } = await app.trpc().chunks.list.query({ scope, documentId, pageSize: 1 });
    const page = await open(at(documentId), { permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy id: Chunk 1', exact: true }).click();
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Copied', { exact: true }).waitFor();
    expect(await copied()).toBe(items[0]?.id);
    await expectAccessible(page);
    await messages.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('link', { name: 'Properties' }).click();
    await page.getByRole('button', { name: 'Copy id', exact: true }).click();
    await messages.getByText('Copied', { exact: true }).waitFor();
    expect(await copied()).toBe(documentId);
  });

  test.each([
    { documentSubType: 'docx', name: 'Word', format: 'Word (docx)' },
    { documentSubType: 'constructor', name: 'constructor', format: 'constructor' },
  ])('the format $documentSubType is named $name', async ({ documentSubType, name, format }) => {
    const page = await open(at(await makeDocument({ documentSubType }), '&view=properties'));
    await page.getByText(name, { exact: true }).first().waitFor();
    await page.getByText(format, { exact: true }).last().waitFor();
  });

  test('properties are changed, and the history tells of it', async () => {
    const id = await makeDocument();
    const page = await open(at(id));
    await page.getByRole('link', { name: 'Properties' }).click();
    const save = page.getByRole('button', { name: 'Save' });
    const reason = page.getByRole('main').getByText('No changes yet', { exact: true });
    await reason.waitFor();
    expect([await save.isDisabled(), await save.getAttribute('title')]).toEqual([true, 'No changes yet']);
    await expectAccessible(page);
    await page.getByLabel('Name').fill('The handbook');
    await reason.waitFor({ state: 'detached' });
    expect([await save.isDisabled(), await save.getAttribute('title')]).toEqual([false, null]);
    await page.getByLabel('Category').fill('rules');
    await page.getByLabel('Datasets').fill('handbook');
    await page.getByLabel('Datasets').press('Enter');
    await page.getByRole('button', { name: 'Remove handbook', exact: true }).waitFor();
    await screenshot(page, 'document-properties');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'The handbook' }).waitFor();
    const [found] = await app.trpc().documents.getMany.query({ scope, documentIds: [id] });
    expect(found).toMatchObject({ category: 'rules', datasetIds: ['faq', 'handbook'], version: 2 });

    await page.getByLabel('Title').fill('Mine');
    await app.trpc().documents.update.mutate({ scope, documentId: id, title: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this document').waitFor();
    forgive(/412/);
    await page.getByRole('button', { name: 'Show how it is now' }).click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Theirs');

    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'Created' }).waitFor();
    const entries = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await expect
      .poll(() => entries.getByRole('heading').allTextContents())
      .toEqual(['Changed', 'Changed', 'Created']);
    await expect
      .poll(() => entries.nth(1).locator('dd').allTextContents())
      .toEqual(expect.arrayContaining(['Handbook → The handbook', 'nothing → rules', 'faq → faq, handbook']));
    await screenshot(page, 'document-history');
    await expectAccessible(page);
  });

  test('a failed document says why; a page that is not kept shows its chunks; an unknown one is not there', async () => {
    const gone = await makeDocument({ documentContent: undefined, url: 'http://gone.invalid/page' });
    const page = await open(at(gone));
    await page.getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'No chunks yet' }).waitFor();
    await page.getByRole('switch', { name: 'Found by searches once it is processed' }).waitFor();
    expect(await page.getByText('Enabled').count()).toBe(0);
    await page.getByText('No server is known under the host name of this URL; check its spelling.').waitFor();
    expect(await page.getByText('Open the address in a browser.').count()).toBe(0);
    await source(page).getByRole('link', { name: 'http://gone.invalid/page' }).waitFor();
    await screenshot(page, 'document-failed');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/documents?tenant=acme&unit=legal');
    await page.goto(at(gone));
    await page.getByRole('heading', { name: 'Document not found' }).waitFor();
    await screenshot(page, 'document-missing');
  });

  test('a narrow screen has room for all of it, in Chinese', async () => {
    const id = await makeDocument();
    const narrow = { viewport: { width: 400, height: 800 }, language: 'zh', colorScheme: 'dark' } as const;
    for (const view of ['', '&view=properties', '&view=history']) {
      const page = await open(at(id, view), narrow);
      await page.getByRole('heading', { name: 'Handbook' }).waitFor();
      await page
        .getByText(view === '' ? '分块 1' : view === '&view=history' ? '创建' : '类别', { exact: true })
        .waitFor();
      await expectNoOverflow(page);
      await expectAccessible(page);
      if (view === '') {
        await page.getByRole('button', { name: '原文', exact: true }).click();
        await expect
          .poll(() => source(page).evaluate((one) => one.getBoundingClientRect().top))
          .toBeLessThan(800);
      }
      await screenshot(page, `document-400${view.replace('&view=', '-')}`);
    }
  });

  /** How many pixels of the drawn page are dark. */
  async function inkOf(page: Page): Promise<number> {
    await source(page).locator('canvas').waitFor();
    return source(page)
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        let dark = 0;
        for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128 && pixels[at + 3]) dark++;
        return dark;
      });
  }
});
