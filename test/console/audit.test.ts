import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { permissions } from '../../src/auth/permissions.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('the audit screen', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
  const AT = '/audit?tenant=acme';
  let conversationId: string;
  const entry = (page: Page, action: string) =>
    page.getByRole('row').filter({ hasText: action, has: page.getByRole('button') });

  beforeAll(async () => {
    await app.makeKey({ name: 'Nightly import' });
    const ann = app.trpc({ 'x-user-id': 'ann' });
    ({ id: conversationId } = await ann.conversations.create.mutate({ scope, topic: 'Refund' }));
    await ann.conversations.update.mutate({ scope, conversationId, topic: '退款 for order 1042' });
    const bob = app.trpc({ 'x-user-id': 'bob' });
    await bob.conversations.setStatus.mutate({ scope, conversationId, status: 'succeeded' });
    const { id: many } = await bob.conversations.create.mutate({ scope: { ...scope, tenantId: 'many' } });
    for (let place = 0; place < 60; place += 1) {
      await bob.conversations.update.mutate({ conversationId: many, topic: `Topic ${place}` });
    }
  });

  test('tells who changed what, with what it was before', async () => {
    const page = await open(AT);
    await entry(page, 'Changed a conversation').getByText('ann', { exact: true }).waitFor();
    await entry(page, 'Created an API key').getByText('without a key').waitFor();
    await page
      .getByRole('button', { name: 'Show details: Changed a conversation, 退款 for order 1042' })
      .click();
    const changes = page.getByRole('table').last().getByRole('row');
    expect(await entry(page, 'Changed a conversation').getByTitle('conversations.update').count()).toBe(1);
    await page.getByText('Action conversations.update', { exact: true }).waitFor();
    await expect
      .poll(() => changes.nth(1).getByRole('cell').allInnerTexts())
      .toEqual(['Refund', '退款 for order 1042']);
    await screenshot(page, 'audit');
    await page
      .getByRole('button', { name: 'Hide details: Changed a conversation, 退款 for order 1042' })
      .click();
    await expect.poll(() => page.getByRole('table').count()).toBe(1);
  });

  test('fields that are empty before and after are left out, and nothing is marked without a before', async () => {
    const page = await open(`${AT}&action=conversations.create`);
    await page.getByRole('button', { name: /^Show details: Created a conversation, / }).click();
    const fields = page.getByRole('table').last();
    await fields.getByRole('cell', { name: 'Refund', exact: true }).waitFor();
    expect(await fields.getByRole('cell').allInnerTexts()).not.toContain('–');
    expect(await fields.locator('ins').count()).toBe(0);
  });

  test('columns stay where they are when a row unfolds, and nothing leads to what is deleted', async () => {
    const ann = app.trpc({ 'x-user-id': 'ann' });
    const make = (documentName: string) =>
      ann.documents.create.mutate({
        scope: { ...scope, tenantId: 'gone' },
        documentType: 'UnstructuredFile',
        datasetIds: ['contracts'],
        documentName,
        documentContent: 'Text.',
      });
    await make('Kept');
    const gone = await make('Gone');
    await ann.documents.delete.mutate({ scope: { ...scope, tenantId: 'gone' }, documentId: gone.id });
    const page = await open('/audit?tenant=gone');
    await page.getByRole('link', { name: 'Kept', exact: true }).waitFor();
    await entry(page, 'Deleted a document').getByText('Gone', { exact: true }).waitFor();
    await expect.poll(() => page.locator(`a[href*="${gone.id}"]`).count()).toBe(0);
    await page.waitForLoadState('networkidle');
    const columns = async () =>
      (await page.getByRole('columnheader').all()).slice(0, 4).map((one) => one.boundingBox());
    const before = await Promise.all(await columns());
    await page
      .getByRole('button', { name: 'Show details: Added a document, Kept', exact: true })
      .press('Enter');
    await page.getByRole('table').nth(1).waitFor();
    expect(await Promise.all(await columns())).toEqual(before);
  });

  test('filters and pages are in the address', async () => {
    const page = await open(AT);
    await page.getByText('1 to 4 of 4').waitFor();
    await page.getByLabel('User').fill('bob');
    await page.getByLabel('User').press('Enter');
    await page.getByText('1 to 1 of 1').waitFor();
    await entry(page, 'Set the status of a conversation').waitFor();
    await page.getByLabel('User').fill('');
    const action = page.getByLabel('Action', { exact: true });
    const words = (await action.getByRole('option').allTextContents()).slice(1);
    expect(words).toEqual([...words].sort((one, other) => one.localeCompare(other, 'en')));
    await action.focus();
    await page.keyboard.type('Created a c');
    await expect.poll(() => action.inputValue()).toBe('conversations.create');
    await page.keyboard.press('Enter');
    await entry(page, 'Changed a conversation').waitFor({ state: 'detached' });
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByLabel('Subject (id)').fill(conversationId);
    await page.getByLabel('Subject (id)').press('Enter');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T10:00');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'No entry fits the filters' }).waitFor();
    await screenshot(page, 'audit-filtered');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      action: 'conversations.create',
      subject: conversationId,
      until: '2020-01-01T10:00:00.000Z',
    });
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('1 to 4 of 4').waitFor();
    await expect.poll(() => page.getByLabel('Subject (id)').inputValue()).toBe('');
    await page.getByLabel('From').fill('2020-01-01T10:00');
    await page.getByLabel('From').press('Enter');
    await page.waitForURL(/since=2020-01-01T10/);
    await page.getByText('1 to 4 of 4').waitFor();

    await page.getByRole('button', { name: 'Last hour', exact: true }).click();
    await page.waitForURL((url) => Date.now() - Date.parse(url.searchParams.get('since') ?? '') < 4_000_000);
    await page.getByText('1 to 4 of 4').waitFor();

    await page.goto('/audit?tenant=acme&action=novel.act');
    await expect.poll(() => page.getByLabel('Action', { exact: true }).inputValue()).toBe('novel.act');
    await page.goto('/audit?tenant=many');
    await page.getByText('1 to 50 of 61').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 61 of 61').waitFor();
    await page.reload();
    await page.getByText('51 to 61 of 61').waitFor();
    await page.goto('/audit?tenant=nobody');
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
  });

  test('all pages of the list are saved as CSV', async () => {
    const page = await open('/audit?tenant=many&action=conversations.update');
    await page.getByText('1 to 50 of 60').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(62);
    expect(lines[0]).toBe(
      '\uFEFFtime,action,subjectType,subjectId,subjectName,tenantUnitId,userId,userName,userIssuer,keyId,requestId,address,before,after',
    );
    expect(lines[1]).toContain(',bob,,,,');
    expect(lines.at(-2)).toContain(',Topic 59,');
    expect(lines[1]).toContain('"{""topic"":""Topic 59""}"');
    await page.getByText('Saved as CSV, rows: 60').waitFor();
  });

  test.each([
    ['light', 'en', /^Show details: Changed a conversation/],
    ['dark', 'zh', /^显示详情：修改会话/],
  ] as const)('fits 400 px and 1280 px, %s, %s', async (colorScheme, language, show) => {
    for (const width of [400, 1280]) {
      const page = await open(AT, { colorScheme, language, viewport: { width, height: 800 } });
      await page.getByRole('button', { name: show }).click();
      await page.getByRole('table').last().getByText('退款 for order 1042', { exact: true }).waitFor();
      await expectNoOverflow(page);
      await screenshot(page, `audit-changes-${colorScheme}-${language}-${width}`);
      await expectAccessible(page);
    }
  });
});

describe.skipIf(!hasBrowser)('the audit screen, on a server that requires keys', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });

  test('names the key that did it, and filters by it', async () => {
    const { id, key } = await app.makeKey({ name: 'Nightly import' });
    const other = await app.makeKey({ name: 'Another' });
    const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
    await app.trpc({ 'x-api-key': other.key }).conversations.create.mutate({ scope });
    const page = await open('/audit');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    forgive(/status of 401/);
    await page.goto('/audit');
    await page
      .getByRole('row')
      .filter({ hasText: 'Signed in' })
      .getByText('Key Nightly import', { exact: true })
      .waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Created a conversation' })
      .getByText('Key Another', { exact: true })
      .waitFor();
    await page
      .getByRole('textbox', { name: 'Key' })
      .or(page.getByRole('combobox', { name: 'Key' }))
      .fill(id);
    await page.getByText('1 to 1 of 1').waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toBe(id);
  });
});

const issuer = await startTokenIssuer();

describe.skipIf(!hasBrowser)('the audit screen, on a server that accepts tokens', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required', authIssuers: [issuer.config()] });
  afterAll(() => issuer.close());

  test('names the user of a token, and who vouches for it, here and where it has written something', async () => {
    const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
    const exp = Math.floor(Date.now() / 1000) + 300;
    const claims = { sub: 'ann-1', name: 'Ann Lee', tenant_id: 'acme', scope: permissions.join(' ') };
    const token = await issuer.sign({ ...claims, exp });
    const ann = app.trpc({ authorization: `Bearer ${token}`, 'x-user-id': 'eve' });
    const { id } = await ann.conversations.create.mutate({ scope, topic: 'Refund' });
    const { key } = await app.makeKey();
    await app.trpc({ 'x-api-key': key, 'x-user-id': 'bob' }).conversations.setStatus.mutate({
      scope,
      conversationId: id,
      status: 'succeeded',
    });

    const page = await open('/audit');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    forgive(/status of 401/);
    await page.goto('/audit');
    const row = page.getByRole('row').filter({ hasText: 'Created a conversation' });
    await row.waitFor();
    const who = async (action: string) => {
      const cell = page.getByRole('row').filter({ hasText: action }).getByRole('cell').nth(3);
      return (await cell.allInnerTexts()).flatMap((text) => text.split('\n').filter(Boolean));
    };
    expect(await who('Created a conversation')).toEqual(['AL', 'Ann Lee', 'with a token']);
    expect(await who('Set the status of a conversation')).toEqual(['B', 'bob', 'Key test']);
    expect(await row.getByTitle(`ann-1 · ${issuer.url}`).count()).toBe(1);
    await page.getByRole('button', { name: 'Show details: Created a conversation, Refund' }).click();
    const origin = page.locator('p').filter({ hasText: 'Request' });
    await origin.getByText('User ann-1').waitFor();
    await origin.getByText(`Issuer ${issuer.url}`).waitFor();
    await screenshot(page, 'audit-names');
    await expectAccessible(page);

    await page.goto(`/conversations?conversation=${id}`);
    const history = page.getByRole('region', { name: 'History of the status' });
    await history.locator('summary').click();
    await history.getByText('Ann Lee').waitFor();
    await history.getByText('bob', { exact: true }).waitFor();
    await screenshot(page, 'conversation-names');
  });
});
