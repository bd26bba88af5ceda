import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('changes of many conversations', () => {
  const { app, open } = useConsole();
  const barOf = (page: Page) => page.getByRole('region', { name: 'Chosen conversations' });
  const toastOf = (page: Page) => page.getByRole('region', { name: 'Messages' });

  /** Conversations of a unit of their own, `Case 1` first. */
  async function desk(name: string, count: number) {
    const conversations = Array.from({ length: count }, (_, place) => {
      const time = new Date(Date.UTC(2026, 2, 1, 9, 0, place)).toISOString();
      return {
        ...{ id: uuid(), tenantUnitId: name, topic: `Case ${place + 1}`, agentId: uuid(), userId: 'ann' },
        ...{ status: 'running' as const, createdTime: time, updatedTime: time, messages: [] },
      };
    });
    for (let start = 0; start < count; start += 100) {
      const some = conversations.slice(start, start + 100);
      await app.trpc().conversations.import.mutate({ scope: { tenantId: 'acme' }, conversations: some });
    }
    return {
      address: `/conversations?tenant=acme&unit=${name}`,
      /** What is stored of each, oldest first. */
      async read<T>(field: (one: { topic: string | null; status: string | null; labels: string[] }) => T) {
        const stored = await app.db
          .selectFrom('conversations')
          .selectAll()
          .where('tenantId', '=', 'acme')
          .where('tenantUnitId', '=', name)
          .orderBy('createdTime')
          .execute();
        return stored.map(field);
      },
    };
  }

  test('some rows get another status, and it is undone', async () => {
    const { address, read } = await desk('status', 6);
    const page = await open(address);
    await page.getByLabel('Choose “Case 5”').check();
    await page.getByLabel('Choose “Case 3”').click({ modifiers: ['Shift'] });
    const bar = barOf(page);
    await bar.getByText('3 conversations selected').waitFor();
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the status of 3 conversations' });
    await dialog.getByLabel('Status').selectOption('Failed');
    await screenshot(page, 'conversations-bulk-status');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await toastOf(page).getByText('3 conversations changed.').waitFor();
    await bar.waitFor({ state: 'detached' });
    const statuses = () => read(({ status }) => status);
    expect(await statuses()).toEqual(['running', 'running', 'failed', 'failed', 'failed', 'running']);
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await toastOf(page).getByText('3 conversations changed back.').waitFor();
    expect(await statuses()).toEqual(Array(6).fill('running'));
  });

  test('all that the filters match get labels and an assignment, and lose them', async () => {
    const { address, read } = await desk('labels', 45);
    const { id } = await app
      .trpc()
      .labels.create.mutate({ scope: { tenantId: 'acme' }, name: 'Audit', color: '#1f6feb' });
    const page = await open(`${address}&user=ann`);
    await page.getByLabel('Select this page').check();
    await page.getByRole('button', { name: 'Select all 45 that match' }).click();
    const bar = barOf(page);
    await bar.getByText('45 conversations selected').waitFor();
    await screenshot(page, 'conversations-bulk-all');
    await bar.getByRole('button', { name: 'Add labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add labels to 45 conversations' });
    expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Name of a new label').fill('Made here');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'Made here', exact: true, checked: true }).waitFor();
    await dialog.getByRole('checkbox', { name: 'Made here', exact: true }).uncheck();
    await dialog.getByLabel('Audit').check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await toastOf(page).getByText('45 conversations changed.').waitFor();
    const labelled = async () => (await read(({ labels }) => labels.includes(id))).filter(Boolean).length;
    expect(await labelled()).toBe(45);
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await toastOf(page).getByText('45 conversations changed back.').waitFor();
    expect(await labelled()).toBe(0);

    await page.getByLabel('Choose “Case 45”').check();
    await bar.getByRole('button', { name: 'Assign' }).click();
    const assign = page.getByRole('dialog', { name: 'Assign 1 conversation' });
    await assign.getByLabel('Assignment').fill('case-7');
    await assign.getByRole('button', { name: 'Apply' }).click();
    await toastOf(page).getByText('1 conversation changed.').waitFor();
    const found = await app.trpc().conversations.list.query({
      scope: { tenantId: 'acme' },
      assignmentId: 'case-7',
    });
    expect(found.items.map(({ topic }) => topic)).toEqual(['Case 45']);
  });

  test('a long change shows how far it is, and stops when it is told to', async () => {
    const { address, read } = await desk('long', 250);
    const page = await open(address);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let steps = 0;
    await page.route('**/trpc/conversations.bulk**', async (route) => {
      steps += 1;
      if (steps === 2) await released;
      await route.continue();
    });
    await page.getByLabel('Select this page').check();
    await page.getByRole('button', { name: 'Select all 250 that match' }).click();
    await barOf(page).getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 250 conversations' });
    await dialog.getByText('This cannot be undone.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const progress = page.getByRole('region', { name: 'Changing conversations' });
    await progress.getByText('100 of 250 done').waitFor();
    await screenshot(page, 'conversations-bulk-progress');
    await progress.getByRole('button', { name: 'Stop' }).click();
    release();
    await toastOf(page).getByText('200 conversations deleted. You stopped before the others.').waitFor();
    await progress.waitFor({ state: 'detached' });
    expect(await read(({ topic }) => topic)).toEqual(
      Array.from({ length: 50 }, (_, place) => `Case ${place + 201}`),
    );
    expect(steps).toBe(2);
  });

  test('chosen rows are deleted after a time to undo it', async () => {
    const { address, read } = await desk('deletions', 4);
    const page = await open(address);
    const remove = async (topics: string[]) => {
      for (const topic of topics) await page.getByLabel(`Choose “${topic}”`).check();
      await barOf(page).getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 2 conversations' });
      await dialog.getByRole('button', { name: 'Delete' }).click();
      for (const topic of topics)
        await page.getByRole('link', { name: topic }).waitFor({ state: 'detached' });
    };
    await remove(['Case 1', 'Case 2']);
    await toastOf(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Case 1' }).waitFor();
    await remove(['Case 3', 'Case 4']);
    await toastOf(page).getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => read(({ topic }) => topic)).toEqual(['Case 1', 'Case 2']);
  });

  test('what is chosen, and all that matches, is downloaded', async () => {
    const { address } = await desk('export', 25);
    const page = await open(address);
    const download = async (format: string) => {
      await barOf(page).getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Format').selectOption(format);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      await dialog.waitFor({ state: 'detached' });
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
    };
    await page.getByLabel('Choose “Case 24”').check();
    await page.getByLabel('Choose “Case 25”').check();
    const some = await download('ndjson');
    expect(some.name).toBe('conversations.ndjson');
    const lines = some.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).topic)).toEqual(['Case 25', 'Case 24']);
    await page.getByLabel('Select this page').check();
    await page.getByRole('button', { name: 'Select all 25 that match' }).click();
    const all = await download('html');
    expect(all.name).toBe('conversations.html');
    expect(new Set(all.text.match(/Case \d+/g)).size).toBe(25);
  });

  test.each([
    ['light', 'en'],
    ['dark', 'zh'],
  ] as const)('fits 390 px, %s, %s', async (colorScheme, language) => {
    const { address } = await desk(`narrow-${language}`, 3);
    const page = await open(address, { colorScheme, language, viewport: { width: 390, height: 800 } });
    await page.getByRole('checkbox', { name: 'Case 3' }).check();
    await page.getByRole('checkbox', { name: 'Case 2' }).check();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await screenshot(page, `conversations-bulk-${language}-390`);
  });
});

describe.skipIf(!hasBrowser)('chosen conversations on a server that requires keys', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });

  test('a key that only reads may export them, and change nothing', async () => {
    const admin = app.trpc({ 'x-api-key': (await app.makeKey()).key });
    const scope = { tenantId: 'acme', tenantUnitId: 'help' };
    const { id } = await admin.conversations.create.mutate({ scope, topic: 'Parcel' });
    const { key } = await app.makeKey({ scopes: ['conversations:read'] });
    const address = '/conversations?tenant=acme&unit=help';
    const page = await open(address);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Parcel' }).click();
    await page.getByRole('heading', { name: 'Parcel' }).waitFor();
    await page.getByLabel('Choose “Parcel”').check();
    const bar = page.getByRole('region', { name: 'Chosen conversations' });
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Clear', 'Export']);
    await page.keyboard.press('e');
    await page.keyboard.press('l');
    await page.getByRole('button', { name: /^Labels/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This tenant has no labels yet.').waitFor();
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Any label', 'Done']);
    expect((await admin.conversations.get.query({ scope, conversationId: id })).status).toBe('running');
    forgive(/401/);
  });
});
