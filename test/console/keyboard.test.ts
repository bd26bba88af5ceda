/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
/** More than any screen here has. */
const MAX_TABS = 200;

/** The ten most common tasks, without a mouse: nothing here clicks, or gives the focus to anything. */
describe.skipIf(!hasBrowser)('with the keyboard alone', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });

  /** Presses Tab until something has the focus. */
  async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
    await target.first().waitFor();
    for (let left = MAX_TABS; left > 0; left--) {
      if (await target.evaluateAll((found) => found.some((one) => one === document.activeElement))) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${target} cannot be reached with ${key}`);
  }
  const press = async (page: Page, target: Locator, key = 'Enter') => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  /** Types into a field in place of what it has. */
  const typeInto = async (page: Page, target: Locator, text: string) => {
    await tabTo(page, target);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };
  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

  const client = async () => app.trpc({ 'x-api-key': (await app.makeKey()).key });

  async function signIn(route: string): Promise<Page> {
    const { key } = await app.makeKey();
    const page = await open(route, { permissions: ['clipboard-read', 'clipboard-write'] });
    await typeInto(page, page.getByLabel('API key', { exact: true }), key);
    await page.keyboard.press('Enter');
    await button(page, 'Sign out').waitFor();
    forgive(/status of 401/);
    // A key leads to its own tenant.
    await page.goto(route);
    await button(page, 'Sign out').waitFor();
    return page;
  }

  test('a text is added, found, edited, switched off and deleted', async () => {
    const page = await signIn('/documents?tenant=acme&unit=legal');
    await press(page, button(page, 'Add documents'));
    const adding = page.getByRole('dialog', { name: 'Add documents', exact: true });
    await tabTo(page, adding.getByRole('tab', { name: 'Files', exact: true }));
    await page.keyboard.press('ArrowRight');
    await typeInto(page, adding.getByLabel('Name', { exact: true }), 'Returns.md');
    await typeInto(
      page,
      adding.getByRole('textbox', { name: 'Text', exact: true }),
      '# Returns\n\nWithin thirty days.',
    );
    await typeInto(page, adding.getByLabel('Datasets', { exact: true }), 'faq');
    await page.keyboard.press('Enter');
    await press(page, button(adding, 'Add'));
    await adding.waitFor({ state: 'detached' });

    await typeInto(page, page.getByLabel('Name, title or URL', { exact: true }), 'turns');
    await page.getByRole('row').filter({ hasText: 'Ready' }).waitFor();
    await press(page, page.getByRole('link', { name: 'Returns.md', exact: true }));
    await page.getByRole('heading', { name: 'Returns.md', exact: true }).waitFor();

    await typeInto(page, page.getByLabel('Text in the chunk', { exact: true }), 'nowhere');
    await page.getByRole('heading', { name: 'No chunk fits the filters', exact: true }).waitFor();
    await press(page, button(page, 'Clear the filters'));
    await press(page, button(page, 'Edit Chunk 1'));
    const editing = page.getByRole('dialog', { name: 'Edit Chunk 1', exact: true });
    await typeInto(page, editing.getByLabel('Text', { exact: true }), 'Within forty days.');
    await press(page, button(editing, 'Save'));
    await editing.waitFor({ state: 'detached' });
    const chunks = page.getByRole('region', { name: 'Chunks and source', exact: true });
    await chunks.getByText('Within forty days.', { exact: true }).waitFor();
    // Whoever has closed a dialog is where it was opened.
    await expect.poll(() => focusOf(page)).toBe('Edit Chunk 1');

    const enabled = page.getByRole('switch', { name: 'Enabled: found by searches', exact: true });
    await tabTo(page, enabled, 'Shift+Tab');
    await page.keyboard.press('Space');
    await page.getByText('Disabled: no search finds it', { exact: true }).waitFor();
    await tabTo(page, button(page, 'Delete'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const asking = page.getByRole('dialog');
    await press(page, button(asking, 'Delete'));
    await page.waitForURL('**/documents?tenant=acme&unit=legal&name=turns');
    await expect
      .poll(async () => (await (await client()).documents.list.query({ scope })).totalCount)
      .toBe(0);
  });

  test('a question is asked, and its hit opened', async () => {
    await (await client()).documents.create.mutate({
      scope: { ...scope, tenantUnitId: 'search' },
      documentType: 'UnstructuredFile',
      documentName: 'Deposit',
      documentContent: 'The deposit is paid back within thirty days.',
      datasetIds: ['contracts'],
    });
    await app.settle();
    const page = await signIn('/overview?tenant=acme&unit=search');
    await page.keyboard.press('/');
    await page.waitForURL('**/search?**');
    const question = page.getByLabel('Question', { exact: true });
    await expect.poll(() => question.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByText('contracts', { exact: true }).first().waitFor();
    await page.keyboard.type('When is the deposit paid back?');
    await page.keyboard.press('Enter');
    await page.locator('mark').first().waitFor();
    await press(page, page.getByRole('link', { name: 'Deposit', exact: true }));
    await page.getByRole('heading', { name: 'Deposit', exact: true }).waitFor();
  });

  test('a conversation is read, and gets another status', async () => {
    const { conversationId } = await (await client()).messages.append.mutate({
      scope,
      conversation: { topic: 'Refund' },
      messages: Array.from({ length: 40 }, (_, place) => ({
        id: crypto.randomUUID(),
        messageFrom: 'agent',
        content: `Answer ${place + 1}`,
        requestedTime: new Date(place * 1_000).toISOString(),
      })),
    });
    const page = await signIn('/conversations?tenant=acme&unit=legal');
    await press(page, page.getByRole('link', { name: /Refund/ }));
    const messages = page.getByRole('group', { name: 'Messages of the conversation', exact: true });
    await tabTo(page, messages);
    const scrolled = () => messages.evaluate((element) => element.scrollTop);
    for (const key of ['PageUp', 'ArrowUp', 'Home']) {
      const before = await scrolled();
      const scroll = async () => {
        await page.keyboard.press(key);
        return scrolled();
      };
      await expect.poll(scroll).toBeLessThan(before);
    }
    const status = page.getByRole('combobox', { name: 'Status', exact: true }).last();
    await tabTo(page, status, 'Shift+Tab');
    await page.keyboard.type('Succ');
    await page.keyboard.press('Enter');
    const stored = async () =>
      (await (await client()).conversations.get.query({ scope, conversationId })).status;
    await expect.poll(stored).toBe('succeeded');
    await expectAccessible(page);
  });

  test('a key is made and copied', async () => {
    const page = await signIn('/keys?tenant=acme');
    await press(page, button(page, 'Make a key'));
    const form = page.getByRole('dialog', { name: 'Make a key', exact: true });
    await typeInto(page, form.getByLabel('Name', { exact: true }), 'Nightly');
    await page.keyboard.press('Enter');
    const issued = page.getByRole('dialog', { name: 'The key “Nightly”', exact: true });
    await press(page, button(issued, 'Copy'));
    await button(issued, 'Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^lectern_\w{62}$/);
    await press(page, button(issued, 'I have copied it'));
    await issued.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Nightly' }).waitFor();
  });

  test('another unit is shown, from the palette and by the fields', async () => {
    const page = await signIn('/documents?tenant=acme&unit=legal');
    await press(page, button(page, 'Tenant and unit: acme / legal'));
    await typeInto(page, page.getByLabel('Unit', { exact: true }), 'sales');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/documents?tenant=acme&unit=sales');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', {
      name: 'Screen, document, conversation or action',
      exact: true,
    });
    await field.waitFor();
    await page.keyboard.type('operations');
    await page
      .getByRole('option', { name: /Operations/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/operations?tenant=acme&unit=sales');
  });

  test('help is scrolled by arrows, pages and to its ends', async () => {
    const page = await signIn('/documents?tenant=acme');
    await page.setViewportSize({ width: 1000, height: 360 });
    await page.keyboard.press('Escape');
    await tabTo(page, page.getByRole('button', { name: /^Help/ }));
    await page.keyboard.press('Enter');
    const help = page.getByRole('dialog', { name: 'Help', exact: true });
    await help.waitFor();
    const scrolled = () => help.evaluate((element) => Math.round(element.scrollTop));
    const top = await scrolled();
    await page.keyboard.press('ArrowDown');
    await expect.poll(scrolled).toBeGreaterThan(top);
    const bottom = await help.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    // A key that comes while it still moves is lost.
    const after = async (key: string) => {
      await page.keyboard.press(key);
      return scrolled();
    };
    await expect.poll(() => after('End')).toBe(bottom);
    await expect.poll(() => after('Home')).toBe(0);
    await expect.poll(() => after('PageDown')).toBeGreaterThan(0);
    await screenshot(page, 'keyboard-help');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
  });
});

const focusOf = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );
