/// <reference lib="dom" />
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('saved views and keys of the conversations screen', () => {
  const { app, open } = useConsole();
  const addressOf = (unit: string) => `/conversations?tenant=acme&unit=${unit}`;

  async function talk(unit: string, topics: string[], status: 'running' | 'review-requested' | 'failed') {
    const scope = { tenantId: 'acme', tenantUnitId: unit };
    const ids: string[] = [];
    for (const topic of topics)
      ids.push((await app.trpc().conversations.create.mutate({ scope, topic, status })).id);
    return ids;
  }

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('filters are saved with a name, %s, %i px', async (colorScheme, width) => {
    await talk('views', ['A broken hinge'], 'failed');
    const page = await open(addressOf('views'), { colorScheme, viewport: { width, height: 800 } });
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await page.getByLabel('Status').first().selectOption('Failed');
    await page.getByRole('button', { name: 'Save as a view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByLabel('Name of the view').fill('To fix');
    await dialog.getByLabel('Name of the view').press('Enter');
    const link = views.getByRole('link', { name: 'To fix' });
    await link.and(page.locator('[aria-current]')).waitFor();
    expect(await page.getByRole('button', { name: 'Save as a view' }).count()).toBe(0);

    await page.goto(addressOf('views'));
    await link.click();
    await expect.poll(() => page.getByLabel('Status').first().inputValue()).toBe('failed');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      unit: 'views',
      state: 'failed',
    });
    await expectNoOverflow(page);
    await views.getByRole('button', { name: 'Edit views' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit views' });
    await edit.getByLabel('Name of “To fix”').fill('Failed ones');
    await expectAccessible(page);
    await expectNoOverflow(page);
    await screenshot(page, `conversations-views-${width}`);
    await edit.getByRole('button', { name: 'Rename' }).click();
    await edit.getByLabel('Name of “Failed ones”').waitFor();
    await edit.getByRole('button', { name: 'Done' }).click();
    await views.getByRole('link', { name: 'Failed ones' }).waitFor();
    await screenshot(page, `conversations-view-${width}`);
    expect(await page.evaluate(() => localStorage.getItem('lectern.views.acme'))).toBe(
      JSON.stringify([{ name: 'Failed ones', search: { state: 'failed' } }]),
    );
    await page.goto('/conversations?tenant=other');
    await page.getByRole('heading', { name: 'No conversations here' }).waitFor();
    expect(await views.count()).toBe(0);
    await page.goto(addressOf('views'));
    await views.getByRole('button', { name: 'Edit views' }).click();
    await edit.getByRole('button', { name: 'Delete the view “Failed ones”' }).click();
    await edit.getByRole('button', { name: 'Done' }).click();
    await views.waitFor({ state: 'detached' });
  });

  test('j and k go through the list and its pages, e finishes, l labels, / searches', async () => {
    const topics = Array.from({ length: 22 }, (_, place) => `Case ${place + 1}`);
    const ids = await talk('keys', topics, 'running');
    const page = await open(addressOf('keys'));
    await page.getByText('1 to 20 of 22').waitFor();
    const opened = async (topic: string) => {
      await page.getByRole('heading', { name: topic, exact: true }).waitFor();
      await page.getByRole('link', { name: topic }).and(page.locator('[aria-current]')).waitFor();
    };
    await page.keyboard.press('j');
    await opened('Case 22');
    await page.keyboard.press('j');
    await opened('Case 21');
    await page.keyboard.press('k');
    await opened('Case 22');
    await page.getByRole('link', { name: 'Case 3' }).click();
    await opened('Case 3');
    await page.keyboard.press('j');
    await opened('Case 2');
    await page.getByText('21 to 22 of 22').waitFor();
    await page.keyboard.press('k');
    await opened('Case 3');

    await page.keyboard.press('l');
    const dialog = page.getByRole('dialog', { name: 'Labels of “Case 3”' });
    await dialog.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await opened('Case 3');

    const status = async () => {
      const ref = { scope: { tenantId: 'acme' }, conversationId: ids[2] as string };
      return (await app.trpc().conversations.get.query(ref)).status;
    };
    await page.keyboard.press('e');
    const toast = page.getByRole('region', { name: 'Messages' });
    await toast.getByText('The status of “Case 3” is now “Succeeded”.').waitFor();
    expect(await status()).toBe('succeeded');
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(status).toBe('running');

    await page.keyboard.press('/');
    const field = page.getByLabel('Search messages and topics');
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('jkel');
    expect(await field.inputValue()).toBe('jkel');
    await opened('Case 3');
  });

  test('e and j go through a queue whose conversations leave it', async () => {
    const ids = await talk('queue', ['Apple', 'Pear', 'Plum'], 'review-requested');
    const page = await open(`${addressOf('queue')}&state=review-requested`);
    const links = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
    await expect.poll(() => links.count()).toBe(3);
    await page.keyboard.press('j');
    for (const topic of ['Plum', 'Pear', 'Apple']) {
      await page.getByRole('heading', { name: topic, exact: true }).waitFor();
      await page.getByRole('region', { name: 'Review', exact: true }).waitFor();
      await page.keyboard.press('e');
      await links.filter({ hasText: topic }).waitFor({ state: 'detached' });
      await page.keyboard.press('j');
    }
    for (const conversationId of ids) {
      const { status } = await app
        .trpc()
        .conversations.get.query({ scope: { tenantId: 'acme' }, conversationId });
      expect(status).toBe('reviewed');
    }
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });
});
