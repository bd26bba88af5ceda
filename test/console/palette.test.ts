/// <reference lib="dom" />
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';
import { AT, useThreeDocuments } from './support/three-documents.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };

describe.skipIf(!hasBrowser)('the palette', () => {
  const { app, open } = useConsole();
  useThreeDocuments(app);
  let conversationId: string;

  beforeEach(async () => {
    const made = await app.trpc().conversations.create.mutate({ scope, topic: 'A late parcel' });
    conversationId = made.id;
  });

  test('goes to what is named, by the keyboard alone', async () => {
    const page = await open(`/overview${AT}`);
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    const field = dialog.getByRole('combobox', { name: 'Screen, document, conversation or action' });
    const options = dialog.getByRole('option');
    const openPalette = async () => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
      await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    };

    await openPalette();
    expect(await options.allTextContents()).toEqual(
      expect.arrayContaining(['Overviewg o', 'Audit logg a', 'Add documents', 'Make an API key', 'Help?']),
    );
    // One large field without a frame, whose name is its placeholder; the keys are below the list.
    expect(
      await field.evaluate((input) => {
        const { borderTopWidth, borderLeftWidth, fontSize } = getComputedStyle(input);
        const { height, width } = input.getBoundingClientRect();
        const isAsWide = width > 0.95 * (input.closest('dialog')?.clientWidth ?? 0);
        return {
          borderTopWidth,
          borderLeftWidth,
          isLarge: Number.parseFloat(fontSize) >= 17,
          height,
          isAsWide,
        };
      }),
    ).toEqual({ borderTopWidth: '0px', borderLeftWidth: '0px', isLarge: true, height: 52, isAsWide: true });
    expect(await field.getAttribute('placeholder')).toBe('Screen, document, conversation or action');
    expect((await dialog.getByRole('heading', { name: 'Go to' }).boundingBox())?.height).toBe(1);
    await dialog.getByText('to choose').waitFor();
    await screenshot(page, 'palette');
    await expectAccessible(page);

    // The first line is chosen, and the ends meet.
    const chosen = dialog.getByRole('option', { selected: true });
    expect(await chosen.allTextContents()).toEqual(['Overviewg o']);
    await page.keyboard.press('ArrowUp');
    expect(await chosen.allTextContents()).toEqual(['Help?']);
    await page.keyboard.press('ArrowDown');
    expect(await chosen.allTextContents()).toEqual(['Overviewg o']);
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/audit${AT}`);

    await openPalette();
    await page.keyboard.type('depos');
    await dialog.getByRole('option', { name: 'Deposit' }).waitFor();
    await screenshot(page, 'palette-found');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Deposit', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/documents\/[0-9a-f-]{36}$/);

    await openPalette();
    await page.keyboard.type('late parc');
    await dialog.getByRole('option', { name: 'A late parcel' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/conversations?conversation=${conversationId}**`);

    await openPalette();
    await page.keyboard.type(conversationId);
    await dialog.getByRole('option', { name: 'A late parcel' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await openPalette();
    await page.keyboard.type('nothing is called so');
    const texts = [
      'Search the chunks for “nothing is called so”',
      'Search the messages for “nothing is called so”',
    ];
    await expect.poll(() => options.allTextContents()).toEqual(texts);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?**q=nothing+is+called+so**');
  });

  test('does what is named', async () => {
    const page = await open(`/overview${AT}`);
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    const run = async (text: string) => {
      await page.getByRole('button', { name: 'Go to…' }).click();
      await dialog.getByRole('combobox').fill(text);
      await dialog.getByRole('option').first().click();
      await dialog.waitFor({ state: 'detached' });
    };

    await run('add documents');
    const adding = page.getByRole('dialog', { name: 'Add documents' });
    await adding.waitFor();
    await page.keyboard.press('Escape');
    await adding.waitFor({ state: 'detached' });
    await page.waitForURL(`**/documents${AT}`);

    await run('make api');
    const making = page.getByRole('dialog', { name: 'Make a key' });
    await making.waitFor();
    await page.keyboard.press('Escape');
    await making.waitFor({ state: 'detached' });
    await page.waitForURL(`**/keys${AT}`);

    await run('compact');
    const density = () => page.evaluate(() => document.documentElement.dataset.density);
    await expect.poll(density).toBe('compact');
    const settings = page.getByRole('button', { name: 'Settings', exact: true });
    await settings.press('Enter');
    await expect.poll(() => page.getByLabel('Rows').inputValue()).toBe('compact');
    await page.reload();
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    expect(await density()).toBe('compact');
    await settings.press('Enter');
    await page.getByLabel('Rows').selectOption('Normal');
    await expect.poll(density).toBe(undefined);
    await page.keyboard.press('Escape');

    await run('theme dark');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    const offered = async (text: string) => {
      await page.getByRole('button', { name: 'Go to…' }).click();
      await dialog.getByRole('combobox').fill(text);
      await dialog.getByRole('option', { name: `Search the chunks for “${text}”` }).waitFor();
      const names = await dialog.getByRole('option', { name: /^(Theme|Language|Rows): / }).allTextContents();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return names;
    };
    // What is in use already is not offered.
    expect(await offered('night')).toEqual([]);
    expect(await offered('theme')).toEqual(['Theme: System', 'Theme: Light']);
    expect(await offered('English')).toEqual([]);
    expect(await offered('Chinese')).toEqual(['Language: 中文']);

    await page.getByRole('button', { name: 'Go to…' }).click();
    await dialog.getByRole('combobox').fill('deposit');
    await dialog.getByRole('option', { name: 'Search the chunks for “deposit”' }).click();
    await page.getByText('The deposit is paid back within thirty days.').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    await run('中文');
    await page.getByRole('heading', { name: 'API 密钥', exact: true }).waitFor();
  });

  test('is a list in Chinese on a narrow window', async () => {
    const page = await open(`/documents${AT}`, { language: 'zh', viewport: { width: 400, height: 800 } });
    await page.getByRole('heading', { name: '文档', exact: true }).waitFor();
    await page.getByRole('button', { name: '前往…' }).click();
    const dialog = page.getByRole('dialog', { name: '前往' });
    await dialog.getByRole('combobox').fill('a');
    await dialog.getByRole('option', { name: '在分块中检索“a”' }).waitFor();
    await screenshot(page, 'palette-zh-400');
    await expectNoOverflow(page);
    await expectAccessible(page);
  });
});
