import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('filters and labels of conversations', () => {
  const { app, open, forgive } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'help' };
  const AT = '/conversations?tenant=acme&unit=help';
  const labelIds: Record<string, string> = {};
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const label = async (name: string, color: string) => {
      const { id } = await app.trpc().labels.create.mutate({ scope: { tenantId: 'acme' }, name, color });
      labelIds[name] = id;
    };
    await label('Refund', '#d4351c');
    await label('Urgent', '#f7f7f5');
    const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
    for (const [place, day] of days.entries()) {
      const topic = `Parcel ${place + 1}`;
      const { id } = await app.trpc().conversations.create.mutate({ scope, topic });
      ids[topic] = id;
      const set = { createdTime: new Date(`${day}T12:00:00Z`), userId: place < 2 ? 'ann' : 'ben' };
      await app.db.updateTable('conversations').set(set).where('id', '=', id).execute();
    }
    const add = [labelIds.Refund as string];
    for (const topic of ['Parcel 2', 'Parcel 4'])
      await app.trpc().conversations.setLabels.mutate({ scope, conversationId: ids[topic] as string, add });
  });

  test('lists by user, days and labels, which are in the address', async () => {
    const page = await open(AT);
    const links = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
    const topics = async () => (await links.allInnerTexts()).map((text) => text.split('\n')[0]);
    await expect.poll(topics).toEqual(['Parcel 4', 'Parcel 3', 'Parcel 2', 'Parcel 1']);
    await links.filter({ hasText: 'Parcel 4' }).getByText('Refund').waitFor();

    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Created from').fill('2026-03-02');
    await page.getByLabel('Created from').press('Enter');
    await page.getByLabel('Created to').fill('2026-03-03');
    await page.getByLabel('Created to').press('Enter');
    await expect.poll(topics).toEqual(['Parcel 3', 'Parcel 2']);
    await page.getByLabel('User id').fill('ann');
    await page.getByLabel('User id').press('Enter');
    await expect.poll(topics).toEqual(['Parcel 2']);

    await page.getByRole('button', { name: 'Labels Any' }).click();
    const dialog = page.getByRole('dialog', { name: 'Conversations with any of these labels' });
    await dialog.getByLabel('Urgent').check();
    await dialog.getByLabel('Urgent').and(page.locator(':checked')).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'conversations-label-filter');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'No conversation fits the filters' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      unit: 'help',
      user: 'ann',
      from: '2026-03-02',
      to: '2026-03-03',
      labels: labelIds.Urgent,
    });
    await page.reload();
    await page.getByRole('button', { name: 'Labels Urgent' }).waitFor();
    expect(await page.getByLabel('Created to').inputValue()).toBe('2026-03-03');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(topics).toEqual(['Parcel 4', 'Parcel 3', 'Parcel 2', 'Parcel 1']);

    await page.goto(`${AT}&labels=${labelIds.Refund},${labelIds.Urgent}`);
    await expect.poll(topics).toEqual(['Parcel 4', 'Parcel 2']);
  });

  test('a conversation gets labels, and loses them', async () => {
    const page = await open(`${AT}&conversation=${ids['Parcel 2']}`);
    const stored = async () => {
      const ref = { scope, conversationId: ids['Parcel 2'] as string };
      return (await app.trpc().conversations.get.query(ref)).labels.toSorted();
    };
    await page.getByRole('button', { name: 'Labels', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Labels of “Parcel 2”' });
    expect(await dialog.getByLabel('Refund').isChecked()).toBe(true);
    await dialog.getByLabel('Urgent').check();
    await dialog.getByLabel('Refund').uncheck();
    await expect.poll(stored).toEqual([labelIds.Urgent]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const link = page.getByRole('link', { name: 'Parcel 2' });
    await link.getByText('Urgent').waitFor();
    await link.getByText('Refund').waitFor({ state: 'detached' });
    await dialog.waitFor({ state: 'detached' });
    const main = page.getByRole('main');
    await expect.poll(() => main.getByText('Urgent', { exact: true }).count()).toBe(2);
    await screenshot(page, 'conversations-labels');
  });

  test('a new label is made where it is put on a conversation', async () => {
    const page = await open(`${AT}&conversation=${ids['Parcel 3']}`);
    await page.getByRole('button', { name: 'Labels', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Labels of “Parcel 3”' });
    await dialog.getByLabel('Name of a new label').fill('Lost');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'Lost', exact: true, checked: true }).waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await screenshot(page, 'conversations-new-label');
    const scoped = { scope: { tenantId: 'acme' } };
    const [lost] = (await app.trpc().labels.list.query(scoped)).filter(({ name }) => name === 'Lost');
    const ref = { scope, conversationId: ids['Parcel 3'] as string };
    await expect.poll(async () => (await app.trpc().conversations.get.query(ref)).labels).toEqual([lost?.id]);
    await app.trpc().labels.delete.mutate({ ...scoped, labelId: lost?.id as string });
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('the list of labels is managed, %s, %i px', async (colorScheme, width) => {
    const name = `Bug ${width}`;
    const page = await open(AT, { colorScheme, viewport: { width, height: 800 } });
    const names = async () =>
      (await app.trpc().labels.list.query({ scope: { tenantId: 'acme' } })).map((one) => one.name);
    await page.getByRole('button', { name: 'Labels Any' }).click();
    await page.getByRole('button', { name: 'Manage labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Manage labels' });
    const create = dialog.locator('form').last();
    await create.getByLabel('Name of a new label').fill(name);
    await create.getByLabel('Colour').fill('#0000ff');
    await create.getByRole('button', { name: 'Create' }).click();
    const row = dialog.getByRole('listitem').filter({ has: page.getByRole('button', { name: `“${name}”` }) });
    await row.waitFor();
    await create.getByLabel('Name of a new label').fill(name);
    await create.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Another label has this name.').waitFor();
    await row.getByLabel('Name').fill(`${name}!`);
    await row.getByRole('button', { name: 'Save' }).click();
    await expect.poll(names).toEqual([`${name}!`, 'Refund', 'Urgent']);

    await dialog.getByRole('button', { name: 'Delete the label “Refund”' }).click();
    await dialog.getByText('Delete “Refund”? It is removed from 1 conversation.').waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await screenshot(page, `conversations-manage-labels-${width}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: `Delete the label “${name}!”` }).click();
    await dialog.getByText('No conversation has it.').waitFor();
    await dialog.getByRole('button', { name: 'Delete label' }).click();
    await expect.poll(names).toEqual(['Refund', 'Urgent']);
    await row.waitFor({ state: 'detached' });
    forgive(/status of 409/);
  });
});
