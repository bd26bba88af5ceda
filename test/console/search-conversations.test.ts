/// <reference lib="dom" />
import type { Locator } from 'playwright-core';
import { v7 as uuid } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const SEARCH = 'Search messages and topics';
const HITS = 'Messages that were found';

describe.skipIf(!hasBrowser)('a search over conversations', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'help' };
  const AT = '/conversations?tenant=acme&unit=help';
  let wombatId: string;
  let conversationId: string;

  beforeAll(async () => {
    const texts = Array.from({ length: 100 }, (_, place) =>
      place === 45 ? 'The hinges of my wombat cage are broken.' : `Line ${place + 1} of a long talk`,
    );
    const messages = texts.map((content) => ({ id: uuid(), messageFrom: 'user', content }));
    wombatId = messages[45]?.id as string;
    ({ conversationId } = await app.trpc().messages.append.mutate({
      scope,
      conversation: { topic: 'A repair', status: 'failed' },
      messages,
    }));
    await app.trpc().messages.append.mutate({
      scope,
      conversation: { topic: '退款 1042' },
      messages: [{ id: uuid(), messageFrom: 'agent', content: '请问铰链是什么颜色？' }],
    });
  });

  const isInView = (locator: Locator) =>
    locator.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

  test('shows hits with what was found marked, and opens the transcript there', async () => {
    const page = await open(AT);
    await page.getByLabel(SEARCH).fill('broken hinge');
    await page.getByLabel(SEARCH).press('Enter');
    const hits = page.getByRole('navigation', { name: HITS });
    const hit = hits.getByRole('link', { name: /A repair/ });
    await hit.waitFor();
    expect(await hits.locator('mark').allTextContents()).toEqual(['hinges', 'broken']);
    await page.getByText('1 hit', { exact: true }).waitFor();
    await hit.click();
    const transcript = page.getByRole('region', { name: 'Transcript' });
    const message = transcript.getByText('The hinges of my wombat cage are broken.');
    await message.waitFor();
    await expect.poll(() => isInView(message)).toBe(true);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      unit: 'help',
      q: 'broken hinge',
      conversation: conversationId,
      message: wombatId,
    });
    await expectAccessible(page);
    await screenshot(page, 'conversations-search');

    await transcript.getByRole('button', { name: 'Show earlier messages' }).click();
    await transcript.getByText('Line 1 of a long talk').waitFor();
    await transcript.getByRole('button', { name: 'To the end' }).click();
    const last = transcript.getByText('Line 100 of a long talk');
    await expect.poll(() => isInView(last)).toBe(true);
  });

  test('comes back with its address, and ends when the field is emptied', async () => {
    const page = await open(`${AT}&q=hinges&conversation=${conversationId}&message=${wombatId}`);
    const message = page.getByRole('region', { name: 'Transcript' }).getByText('my wombat cage');
    await expect.poll(() => isInView(message)).toBe(true);
    expect(await page.getByLabel(SEARCH).inputValue()).toBe('hinges');
    await page.getByLabel(SEARCH).fill('');
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  });

  test('finds Chinese, and topics', async () => {
    const page = await open(`${AT}&q=${encodeURIComponent('铰链')}`);
    const hits = page.getByRole('navigation', { name: HITS });
    await hits.getByRole('link', { name: /退款 1042.*Agent/ }).waitFor();
    expect(await hits.locator('mark').allTextContents()).toEqual(['铰链']);
    await page.getByLabel(SEARCH).fill('退款');
    await page.getByLabel(SEARCH).press('Enter');
    await hits.getByRole('link', { name: /退款 1042\s*Topic/ }).waitFor();
  });

  test('keeps to the filters, and says what to do where nothing is found', async () => {
    const page = await open(`${AT}&q=hinges&state=succeeded`);
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await expectNoOverflow(page);
    await page.getByLabel('Status').first().selectOption('Failed');
    await page
      .getByRole('navigation', { name: HITS })
      .getByRole('link', { name: /A repair/ })
      .waitFor();
    await page.getByRole('button', { name: 'Show all conversations' }).click();
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /A repair/ })
      .waitFor();
  });
});
