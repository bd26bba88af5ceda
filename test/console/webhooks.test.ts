import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Consumer, signatureOf, startConsumer } from '../integration/support/webhook-consumer.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('the webhooks screen', () => {
  const { app, open, forgive } = useConsole({ fetchAllowHosts: ['127.0.0.1'] });
  const AT = '/webhooks?tenant=acme';
  let consumer: Consumer;
  const delivery = (page: Page, text: string) =>
    page.getByRole('row').filter({ hasText: text, has: page.getByRole('button') });

  beforeAll(async () => {
    consumer = await startConsumer();
  });
  beforeEach(() => {
    consumer.received.length = 0;
    consumer.state.answer = () => ({ status: 204 });
  });
  afterAll(() => consumer?.stop());

  test('one is added; its events arrive, and are sent again', async () => {
    const page = await open(`${AT}&unit=sales`);
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await screenshot(page, 'webhooks-empty');
    await page.getByRole('button', { name: 'Add a webhook', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Add a webhook' });
    await form.getByLabel('Address').fill('http://elsewhere.test/events');
    await form.getByText('Missing: Events').waitFor();
    expect(await form.getByRole('button', { name: 'Save' }).getAttribute('title')).toBe('Missing: Events');
    await form.getByLabel(/^conversation\.created/).check();
    await form.getByText('Missing: Events').waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form
      .getByRole('alert')
      .getByText(/^url: /)
      .waitFor();
    forgive(/status of 422/);
    await form.getByLabel('Address').fill(consumer.url);
    await form.getByLabel('Description').fill('The ticket system');
    await screenshot(page, 'webhooks-add');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    const told = page.getByRole('dialog', { name: 'The secret of the webhook' });
    await told.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const secret = await told.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await told.getByRole('button', { name: 'I have copied it' }).click();
    await expect.poll(() => page.content()).not.toContain(secret);

    await page.getByRole('link', { name: consumer.url }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('A test event is on its way.').waitFor();
    await delivery(page, 'webhook.test').getByText('Delivered', { exact: true }).waitFor();
    const [received] = await consumer.expectEvents(1);
    expect(received?.signatures).toEqual([signatureOf(received!, secret)]);

    await delivery(page, 'webhook.test').getByRole('button', { name: 'Show the body' }).click();
    await page.getByText('"type": "webhook.test"').waitFor();
    await page.getByText(received!.id).waitFor();
    await screenshot(page, 'webhooks-delivery');
    await delivery(page, 'webhook.test').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 event is sent again.').waitFor();
    const [, again] = await consumer.expectEvents(2);
    expect(again?.id).toBe(received!.id);
  });

  test('what failed says why, and is replayed', async () => {
    consumer.state.answer = () => ({ status: 410 });
    const scope = { tenantId: 'failing', tenantUnitId: 'sales' };
    const { id: webhookId } = await app.trpc().webhooks.create.mutate({
      scope: { tenantId: scope.tenantId },
      url: consumer.url,
      eventTypes: ['conversation.created', 'conversation.deleted'],
    });
    await app.trpc().conversations.create.mutate({ scope });
    const page = await open(`/webhooks?tenant=failing&webhook=${webhookId}`);
    await delivery(page, 'conversation.created').getByText('HTTP 410').waitFor();
    await screenshot(page, 'webhooks-failing');
    consumer.state.answer = () => ({ status: 204 });
    // Whoever answers so is told nothing more.
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('switch', { name: /^Enabled/ }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Send a test event' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Replay what failed' }).click();
    await page.getByText('1 event is sent again.').waitFor();
    await delivery(page, 'conversation.created').getByText('Delivered', { exact: true }).waitFor();
    await page.getByLabel('State').selectOption('Failed');
    await page.getByRole('heading', { name: 'No delivery is in this state.' }).waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).toBe('failed');
  });

  test.each<{ status: number; headers?: Record<string, string>; state: string }>([
    { status: 500, state: 'Last attempt failed' },
    { status: 429, headers: { 'retry-after': '3600' }, state: 'Waiting to retry' },
  ])('an idle one is active, and says what became of it after HTTP $status', async (failure) => {
    const { status, state, ...more } = failure;
    const scope = { tenantId: `state-${status}`, tenantUnitId: 'sales' };
    await app.trpc().webhooks.create.mutate({
      scope: { tenantId: scope.tenantId },
      url: consumer.url,
      eventTypes: ['conversation.created'],
    });
    const page = await open(`/webhooks?tenant=${scope.tenantId}`);
    await page.getByRole('cell', { name: 'Active', exact: true }).waitFor();
    consumer.state.answer = () => ({ status, ...more });
    await app.trpc().conversations.create.mutate({ scope });
    await page.getByRole('link', { name: consumer.url }).click();
    await page.getByText(state, { exact: true }).waitFor();
  });

  test('the way back from a filter is the list as it was', async () => {
    const scope = { tenantId: 'filtered' };
    await app.trpc().webhooks.create.mutate({ scope, url: consumer.url, eventTypes: ['document.ready'] });
    const page = await open('/webhooks?tenant=filtered');
    const state = page.getByLabel('State', { exact: true });
    await state.selectOption('Paused');
    await page.getByRole('heading', { name: 'No such webhooks', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: consumer.url }).waitFor();
    expect(await state.inputValue()).toBe('');
  });

  test('is edited, switched off, given another secret and deleted', async () => {
    const scope = { tenantId: 'edited' };
    await app.trpc().webhooks.create.mutate({ scope, url: consumer.url, eventTypes: ['document.ready'] });
    const list = () => app.trpc().webhooks.list.query({ scope });
    const page = await open('/webhooks?tenant=edited');
    await page.getByRole('switch', { name: `Enabled: ${consumer.url}` }).click();
    await page.getByText('Disabled').waitFor();
    expect((await list())[0]?.enabled).toBe(false);
    await page.getByRole('link', { name: consumer.url }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Send a test event' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit the webhook' });
    await form.getByLabel('Address').fill(`${consumer.url}/v2`);
    await form.getByLabel(/^document\.failed/).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: `${consumer.url}/v2` }).waitFor();
    expect((await list())[0]?.eventTypes).toEqual(['document.ready', 'document.failed']);

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const rotating = page.getByRole('dialog', { name: 'Rotate the secret?' });
    await rotating.getByRole('button', { name: 'Rotate' }).click();
    const told = page.getByRole('dialog', { name: 'The secret of the webhook' });
    await expect.poll(() => told.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
    await told.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('The former secret signs, too. It ends in ').waitFor();

    await page.getByRole('button', { name: 'Delete' }).click();
    const asking = page.getByRole('dialog', { name: 'Delete this webhook?' });
    await asking.getByText(`Nothing more is sent to ${consumer.url}/v2`).waitFor();
    await asking.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect(await list()).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhook not found' }).waitFor();
    forgive(/status of 404/);
  });

  test.each([
    ['light', 'en'],
    ['dark', 'zh'],
  ] as const)('fits 400 px and 1280 px, %s, %s', async (colorScheme, language) => {
    const scope = { tenantId: `looks-${language}`, tenantUnitId: 'sales' };
    const { id } = await app.trpc().webhooks.create.mutate({
      scope,
      url: `${consumer.url}/a/long/address/without/any/space/at/all`,
      eventTypes: [
        'document.ready',
        'document.failed',
        'conversation.status_changed',
        'conversation.created',
      ],
      description: 'Tells the ticket system · 通知工单系统',
    });
    await app.trpc().conversations.create.mutate({ scope });
    for (const width of [400, 1280]) {
      const viewer = { colorScheme, language, viewport: { width, height: 800 } };
      const page = await open(`/webhooks?tenant=${scope.tenantId}`, viewer);
      await page.getByText('通知工单系统').waitFor();
      await expectNoOverflow(page);
      await screenshot(page, `webhooks-list-${colorScheme}-${language}-${width}`);
      await expectAccessible(page);
      await page.goto(`/webhooks?tenant=${scope.tenantId}&webhook=${id}`);
      await page.getByText('HTTP 204').waitFor();
      await page.getByRole('button', { name: /^(Show the body|显示正文)/ }).click();
      await expectNoOverflow(page);
      await screenshot(page, `webhook-${colorScheme}-${language}-${width}`);
      await expectAccessible(page);
    }
  });
});
