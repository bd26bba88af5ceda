import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const AT = '/keys?tenant=acme&unit=sales';
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe.skipIf(!hasBrowser)('the screen of keys, on a server that is open', () => {
  const { app, open, forgive } = useConsole();

  test('a key is made; its secret is shown once', async () => {
    const page = await open(AT, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByText('AUTH_MODE=required').waitFor();
    await screenshot(page, 'keys-empty');
    await page.getByRole('button', { name: 'Make a key', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Make a key' });
    await form.getByText('Missing: Name', { exact: true }).waitFor();
    const labels = (await form.locator('label').allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(labels.slice(0, 4)).toEqual(['Name', 'Expires', 'Units, separated by commas', 'Datasets']);
    await form.getByLabel('Name', { exact: true }).fill('Nightly import');
    await expect.poll(() => form.getByLabel('Units, separated by commas').inputValue()).toBe('sales');
    await form.getByLabel(/^keys:admin/).check();
    for (const dataset of ['handbook', 'faq']) {
      await form.getByLabel('Datasets').fill(dataset);
      await form.getByLabel('Datasets').press('Enter');
    }
    await expect.poll(() => form.getByLabel(/^keys:admin/).isDisabled()).toBe(true);
    await form.getByLabel(/^documents:write/).check();
    await form.getByLabel('Expires').selectOption('After 30 days');
    await screenshot(page, 'keys-make');
    await form.getByRole('button', { name: 'Make it' }).dblclick();

    const issued = page.getByRole('dialog', { name: 'The key “Nightly import”' });
    await issued.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const secret = await issued.getByLabel('API key').inputValue();
    expect(secret).toMatch(/^lectern_\w{62}$/);
    await issued.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await issued.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate(() => (globalThis as any).navigator.clipboard.readText())).toBe(secret);
    const code = issued.getByRole('region', { name: 'Use it from your program' });
    await expect
      .poll(() => code.getByRole('region', { name: 'curl' }).textContent())
      .toContain(`-H "x-api-key: ${secret}"`);
    expect(await code.getByRole('region', { name: 'curl' }).textContent()).toContain(
      '"tenant_unit_id":"sales","dataset_ids":["handbook","faq"]',
    );
    await screenshot(page, 'keys-secret');
    await expectAccessible(page);
    await issued.getByRole('button', { name: 'I have copied it' }).click();
    await row(page, 'Nightly import').getByText('Active').waitFor();
    await row(page, 'Nightly import').getByText('in 30 days', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy id: Nightly import' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate(() => (globalThis as any).navigator.clipboard.readText());
    await expect.poll(() => page.content()).not.toContain(secret);
    const [made, ...others] = (await app.trpc().apiKeys.list.query({ scope: { tenantId: 'acme' } })).items;
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      id: copied,
      tenantUnitIds: ['sales'],
      datasetIds: ['handbook', 'faq'],
      scopes: ['documents:read', 'search', 'documents:write'],
      expiresTime: expect.any(String),
    });
  });

  test('a bad wish is refused in the words of the server', async () => {
    const page = await open('/keys?tenant=bad');
    await page.getByRole('button', { name: 'Make a key' }).first().click();
    const form = page.getByRole('dialog', { name: 'Make a key' });
    await form.getByLabel('Name', { exact: true }).fill('Late');
    await form.getByLabel('Expires').selectOption('At a time');
    await form.getByLabel('Time', { exact: true }).fill('2020-01-01T10:00');
    await form.getByRole('button', { name: 'Make it' }).click();
    await form.getByRole('alert').getByText('expiresTime: must be in the future').waitFor();
    forgive(/status of 422/);
  });

  describe('with keys', () => {
    beforeAll(async () => {
      const scope = { tenantId: 'shop' };
      await app.makeKey({ scope, name: 'Everything' });
      await app.makeKey({
        scope: { ...scope, tenantUnitId: ['sales', 'support-and-returns'] },
        name: '一个名字很长的密钥',
        datasetIds: ['handbook', 'frequently-asked-questions'],
        scopes: ['documents:read', 'documents:write', 'chunks:read', 'chunks:write', 'search'],
      });
    });

    test.each([
      ['light', 'en'],
      ['dark', 'zh'],
    ] as const)('fits 400 px and 1280 px, %s, %s', async (colorScheme, language) => {
      for (const width of [400, 1280]) {
        const page = await open('/keys?tenant=shop', {
          colorScheme,
          language,
          viewport: { width, height: 800 },
        });
        await page.getByText('一个名字很长的密钥').waitFor();
        await expectNoOverflow(page);
        await screenshot(page, `keys-list-${colorScheme}-${language}-${width}`);
        await expectAccessible(page);
        await page.getByRole('button', { name: language === 'en' ? 'Make a key' : '创建密钥' }).click();
        await page.getByRole('dialog').waitFor();
        await screenshot(page, `keys-make-${colorScheme}-${language}-${width}`);
        await expectAccessible(page);
      }
    });
  });
});

describe.skipIf(!hasBrowser)('the screen of keys, on a server that requires them', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });
  /** A browser says of each refused request that it was. */
  const refused = /status of 401/;

  async function signIn(page: Page, key: string): Promise<void> {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    forgive(refused);
  }

  test('a key is made and used, rotated and revoked', async () => {
    const { key, id } = await app.makeKey({ name: 'Admin' });
    const page = await open(AT);
    await signIn(page, key);
    await page.goto(AT);
    await row(page, id).getByText('You are signed in with this key.').waitFor();
    await page.getByRole('button', { name: 'Make a key' }).click();
    const form = page.getByRole('dialog', { name: 'Make a key' });
    await form.getByLabel('Name', { exact: true }).fill('Reader');
    await form.getByRole('button', { name: 'Make it' }).click();
    const issued = page.getByRole('dialog', { name: 'The key “Reader”' });
    const made = await issued.getByLabel('API key').inputValue();
    await issued.getByRole('button', { name: 'I have copied it' }).click();
    await row(page, 'Reader').getByText('never').waitFor();

    const reader = await open('/keys');
    await signIn(reader, made);
    await reader.goto('/keys');
    await reader.getByRole('heading', { name: 'You may not do this here' }).waitFor();
    await reader.getByText('You need the permission keys:admin.').waitFor();
    await screenshot(reader, 'keys-not-permitted');

    await page.getByRole('button', { name: 'Rotate Reader' }).click();
    const rotating = page.getByRole('dialog', { name: 'Rotate this key?' });
    await rotating.getByLabel('The former key ends').selectOption('in an hour');
    await rotating.getByRole('button', { name: 'Rotate' }).click();
    await issued.getByText(/^The former key ends in (1 hour|60 minutes)\.$/).waitFor();
    const successor = await issued.getByLabel('API key').inputValue();
    expect(successor).not.toBe(made);
    await issued.getByRole('button', { name: 'I have copied it' }).click();
    await row(page, 'Replaced by').getByRole('button', { name: 'Revoke Reader' }).click();
    const asking = page.getByRole('dialog', { name: 'Revoke this key?' });
    await asking.getByText('Every program that uses “Reader” is refused at once.').waitFor();
    await screenshot(page, 'keys-revoke');
    await asking.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Reader” is revoked.').waitFor();
    await row(page, 'Replaced by').getByText('Revoked').waitFor();
    expect(await row(page, 'Replaced by').getByText('in 1 hour').count()).toBe(0);
    expect((await row(page, 'Replaced by').getByRole('cell').allInnerTexts()).at(-2)).toBe('–');
    await screenshot(page, 'keys');

    await reader.reload();
    await reader.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(reader, successor);
  });
});
