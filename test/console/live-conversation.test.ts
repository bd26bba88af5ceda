/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { useServerProcess } from '../support/server-process.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useBrowser, useConsole } from './support/browser.js';

type Client = ReturnType<ReturnType<typeof useConsole>['app']['trpc']>;

const scope = { tenantId: 'acme', tenantUnitId: 'help' };
const addressOf = (id: string) => `/conversations?tenant=acme&unit=help&conversation=${id}`;
const transcriptOf = (page: Page) => page.getByRole('region', { name: 'Transcript' });
/** What is shown of each message: the text, without who and when. */
const contents = (page: Page) => transcriptOf(page).getByRole('article').locator('p').allTextContents();
const live = (page: Page) => transcriptOf(page).getByText('Live', { exact: true });

/** Messages of an agent that tells one thing after another. */
function speaker(trpc: () => Client) {
  const say = (conversationId: string, texts: string[], fields: object = {}) =>
    trpc().messages.append.mutate({
      scope,
      conversationId,
      messages: texts.map((content) => ({ id: uuid(), messageFrom: 'user', content, ...fields })),
    });
  return {
    say,
    /** A conversation with so many messages. */
    async begin(topic: string, count = 0): Promise<string> {
      const { id } = await trpc().conversations.create.mutate({ scope, topic });
      const texts = Array.from({ length: count }, (_, place) => `Earlier ${place + 1}`);
      for (let start = 0; start < count; start += 100) await say(id, texts.slice(start, start + 100));
      return id;
    },
    /** The parts of a message that a model writes. */
    write(conversationId: string) {
      const part = { scope, conversationId, messageId: uuid() };
      let next = 0;
      return (text: string, fields: object = {}) => {
        const message = next === 0 ? { message: { messageFrom: 'agent' } } : {};
        next += 1;
        return trpc().messages.stream.mutate({ ...part, part: next - 1, text, ...message, ...fields });
      };
    },
  };
}

describe.skipIf(!hasBrowser)('a conversation that goes on while it is open', () => {
  const { app, open, forgive } = useConsole();
  const { begin, say, write } = speaker(() => app.trpc());

  test('shows new messages at the end, in their order, and counts them', async () => {
    const id = await begin('Parcel', 2);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    await say(id, ['Where is it?', 'Hello?']);
    await expect.poll(() => contents(page)).toEqual(['Earlier 1', 'Earlier 2', 'Where is it?', 'Hello?']);
    await transcriptOf(page).getByText('· 4 messages').waitFor();
    await page.getByRole('link', { name: /Parcel.*4 messages/ }).waitFor();
    await say(id, ['Said before'], { requestedTime: '2026-01-01T09:00:00Z' });
    await expect
      .poll(() => contents(page))
      .toEqual(['Said before', 'Earlier 1', 'Earlier 2', 'Where is it?', 'Hello?']);
    await page.reload();
    await expect.poll(() => contents(page)).toHaveLength(5);
    expect(await contents(page)).toEqual(['Said before', 'Earlier 1', 'Earlier 2', 'Where is it?', 'Hello?']);
  });

  test('begins without messages', async () => {
    const id = await begin('Silence');
    const page = await open(addressOf(id));
    await transcriptOf(page).getByText('No messages yet.').waitFor();
    await live(page).waitFor();
    // Their times are given, as clocks of machines may be set back.
    for (let place = 1; place <= 35; place += 1)
      await say(id, [`Line ${place}`], { requestedTime: `2026-01-01T09:00:${10 + place}Z` });
    await expect
      .poll(() => contents(page))
      .toEqual(Array.from({ length: 35 }, (_, place) => `Line ${place + 1}`));
    await transcriptOf(page).getByText('· 35 messages').waitFor();
  });

  test('shows the status that comes with a message', async () => {
    const id = await begin('Refund', 1);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    await app.trpc().messages.append.mutate({
      scope,
      conversationId: id,
      messages: [{ id: uuid(), messageFrom: 'agent', content: 'It is paid.' }],
      status: 'succeeded',
    });
    await page.getByRole('link', { name: /Refund\s*Succeeded\s*2 messages/ }).waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Status' }).last().inputValue())
      .toBe('succeeded');
    const history = page.getByRole('region', { name: 'History of the status' });
    await history.getByText('Succeeded').waitFor();
  });

  test('shows a message while it is written, and reads it out when it is finished', async () => {
    const id = await begin('Draft', 3);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    const untouched = await transcriptOf(page).getByRole('article').first().elementHandle();
    await untouched?.evaluate((element) => {
      const changes: string[] = [];
      Object.assign(globalThis, { changes });
      const options = { childList: true, characterData: true, attributes: true, subtree: true };
      new MutationObserver((all) => changes.push(...all.map(({ type }) => type))).observe(element, options);
    });
    const announced = transcriptOf(page).locator('[aria-live]');
    const part = write(id);
    await part('Your ');
    const message = transcriptOf(page).getByRole('article').last();
    await message.getByText('Being written …').waitFor();
    expect(await message.locator('p').textContent()).toBe('Your');
    await part('parcel ');
    await expect.poll(() => message.locator('p').textContent()).toBe('Your parcel');
    await screenshot(page, 'conversation-being-written');
    await part('is 📦 ');
    await expect.poll(() => message.locator('p').textContent()).toBe('Your parcel is 📦');
    expect(await announced.textContent()).toBe('');
    await part('here.', { close: { status: 'done', inputTokens: 7, answerTokens: 3 } });
    await message.getByText('Tokens: 7 in, 3 out, 10 in all').waitFor();
    await message.getByText('Status: done').waitFor();
    await expect.poll(() => announced.textContent()).toBe('New message: Your parcel is 📦 here.');
    expect(await message.getByText('Being written …').count()).toBe(0);
    expect(await contents(page)).toEqual(['Earlier 1', 'Earlier 2', 'Earlier 3', 'Your parcel is 📦 here.']);
    expect(await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes)).toEqual([]);
  });

  test('shows one that is being written when it is opened, and that its writer was lost', async () => {
    const id = await begin('Lost');
    const part = write(id);
    await part('Half of ');
    await part('an ');
    const page = await open(addressOf(id));
    await live(page).waitFor();
    const message = transcriptOf(page).getByRole('article');
    await part('answer');
    await expect.poll(() => message.locator('p').textContent()).toBe('Half of an answer');
    await app.db
      .updateTable('messages')
      .set({ writtenTime: new Date(Date.now() - 61_000) })
      .where('tenantId', '=', scope.tenantId)
      .where('conversationId', '=', id)
      .execute();
    await message.getByText('Interrupted').waitFor();
    expect(await contents(page)).toEqual(['Half of an answer']);
  });

  test.each([
    ['from its end', false],
    ['from its beginning', true],
  ])('stays where it was scrolled to, %s, and goes to new messages', async (_, isFromStart) => {
    const id = await begin('Long', isFromStart ? 60 : 130);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    const transcript = transcriptOf(page);
    if (isFromStart) {
      await transcript.getByRole('button', { name: 'To the beginning' }).click();
      await transcript.getByText('Earlier 30', { exact: true }).hover();
      const scrollDown = async () => {
        await page.mouse.wheel(0, 20_000);
        return transcript.getByText('Earlier 60', { exact: true }).count();
      };
      await expect.poll(scrollDown).toBe(1);
      // The last page has come, perhaps after the wheel was turned.
      const toEnd = async () => {
        await scrollDown();
        return distanceFromEnd(transcript);
      };
      await expect.poll(toEnd).toBeLessThan(2);
    }
    const part = write(id);
    await part('It begins. ');
    const writing = transcript.getByRole('article').filter({ hasText: 'It begins.' });
    await writing.waitFor();
    await part('More of it.\n'.repeat(40));
    await writing.getByText('More of it.').waitFor();
    await expect.poll(() => distanceFromEnd(transcript)).toBeLessThan(2);
    expect(await transcript.getByRole('button', { name: 'New messages' }).count()).toBe(0);

    await writing.hover();
    await page.mouse.wheel(0, -1_500);
    await expect.poll(() => distanceFromEnd(transcript)).toBeGreaterThan(1_000);
    const place = await settledPlace(
      transcript.getByText(isFromStart ? 'Earlier 58' : 'Earlier 128', { exact: true }),
    );
    await part('And more.\n'.repeat(20));
    await writing.getByText('And more.').waitFor();
    await say(id, ['One', 'Two']);
    await transcript.getByRole('article').filter({ hasText: 'Two' }).waitFor();
    await transcript.getByRole('button', { name: 'New messages' }).waitFor();
    const kept = transcript.getByText(isFromStart ? 'Earlier 58' : 'Earlier 128', { exact: true });
    expect(Math.abs((await settledPlace(kept)) - place)).toBeLessThan(2);
    await screenshot(page, `conversation-new-messages-${isFromStart ? 'start' : 'end'}`);
    await transcript.getByRole('button', { name: 'New messages' }).click();
    await expect.poll(() => distanceFromEnd(transcript)).toBeLessThan(2);
    await expect.poll(() => transcript.getByRole('button', { name: 'New messages' }).count()).toBe(0);
    await say(id, ['Three']);
    await transcript.getByRole('article').filter({ hasText: 'Three' }).waitFor();
    await expect.poll(() => distanceFromEnd(transcript)).toBeLessThan(2);
  });

  test('shows each message once where pages are read while others come', async () => {
    const id = await begin('Pages', 90);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    const transcript = transcriptOf(page);
    const all = Array.from({ length: 90 }, (_, place) => `Earlier ${place + 1}`);
    await transcript.getByText('Earlier 90', { exact: true }).hover();
    for (let place = 1; place <= 40; place += 10) {
      const texts = Array.from({ length: 10 }, (_, next) => `Later ${place + next}`);
      await say(id, texts);
      all.push(...texts);
      await transcript.getByText(texts.at(-1) ?? '', { exact: true }).waitFor();
    }
    await transcript.getByText('· 130 messages').waitFor();
    const scrollUp = async () => {
      await page.mouse.wheel(0, -20_000);
      return contents(page);
    };
    await expect.poll(scrollUp).toEqual(all);
    await transcript.getByText('· 130 messages').waitFor();
  });

  test('says that it was deleted', async () => {
    const id = await begin('Gone', 1);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    await app.trpc().conversations.delete.mutate({ scope, conversationId: id });
    await page.getByRole('heading', { name: 'Conversation not found' }).waitFor();
    await page.getByRole('link', { name: 'Gone' }).waitFor({ state: 'detached' });
    forgive(/404/);
  });

  test.each([
    ['light', 'en', 'Being written …'],
    ['dark', 'zh', '正在输入…'],
  ] as const)('fits 400 px and 1280 px, %s, %s', async (colorScheme, language, sign) => {
    const id = await begin(language === 'zh' ? '退货' : 'A parcel', 12);
    const part = write(id);
    await part('Your parcel is ');
    for (const width of [400, 1280]) {
      const page = await open(addressOf(id), { colorScheme, language, viewport: { width, height: 800 } });
      await page.getByText(sign).waitFor();
      await page.getByText(language === 'zh' ? '实时' : 'Live', { exact: true }).waitFor();
      await page.getByRole('article').last().hover();
      await page.mouse.wheel(0, -300);
      await say(id, ['Thank you.']);
      await page.getByRole('button', { name: language === 'zh' ? '有新消息' : 'New messages' }).waitFor();
      await expectNoOverflow(page);
      await expectAccessible(page);
      await screenshot(page, `conversation-live-${colorScheme}-${language}-${width}`);
    }
  });
});

describe.skipIf(!hasBrowser)('a conversation on a server that requires keys', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });

  test('is not shown any more once the key is revoked, and goes on with another one', async () => {
    const admin = app.trpc({ 'x-api-key': (await app.makeKey()).key });
    const { begin, say } = speaker(() => admin);
    const id = await begin('Secret', 1);
    const { key, id: keyId } = await app.makeKey({ scopes: ['conversations:read'] });
    const page = await open(addressOf(id));
    const signIn = async (apiKey: string) => {
      await page.getByLabel('API key').fill(apiKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.goto(addressOf(id));
      await live(page).waitFor();
    };
    await signIn(key);
    await admin.apiKeys.revoke.mutate({ scope: { tenantId: scope.tenantId }, keyId });
    await say(id, ['After that']);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    await signIn((await app.makeKey({ scopes: ['conversations:read'] })).key);
    await say(id, ['Later']);
    await expect.poll(() => contents(page)).toEqual(['Earlier 1', 'After that', 'Later']);
    // The stream of the revoked key may be cut off by the server before the page ends it.
    forgive(/401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
  });
});

describe.skipIf(!hasBrowser)('a conversation whose server restarts', () => {
  const env: Record<string, string> = {};
  const server = useServerProcess(env);
  const { open, forgive } = useBrowser(server);
  const { begin, say, write } = speaker(() => server.trpc as Client);

  test('has what came meanwhile, once', async () => {
    await server.start();
    env.PORT = new URL(server.address).port;
    const id = await begin('Outage', 2);
    const page = await open(addressOf(id));
    await live(page).waitFor();
    const part = write(id);
    await part('Half ');
    await expect.poll(() => contents(page)).toEqual(['Earlier 1', 'Earlier 2', 'Half']);

    await server.kill();
    await transcriptOf(page).getByText('Reconnecting …').waitFor();
    await screenshot(page, 'conversation-reconnecting');
    await server.start();
    await part('an answer. ');
    await say(id, ['While it was away']);
    await expect
      .poll(() => contents(page))
      .toEqual(['Earlier 1', 'Earlier 2', 'Half an answer.', 'While it was away']);
    await live(page).waitFor();
    await part('The end.', { close: { status: 'done' } });
    await say(id, ['Thanks']);
    await expect
      .poll(() => contents(page))
      .toEqual(['Earlier 1', 'Earlier 2', 'Half an answer. The end.', 'While it was away', 'Thanks']);
    forgive(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
  });
});

/** How far a transcript is scrolled from its end. */
const distanceFromEnd = (transcript: Locator): Promise<number> =>
  transcript
    .getByRole('article')
    .first()
    .evaluate((element) => {
      const scroll = element.closest('[tabindex]') as HTMLElement;
      const isReversed = getComputedStyle(scroll).flexDirection === 'column-reverse';
      return isReversed ? -scroll.scrollTop : scroll.scrollHeight - scroll.clientHeight - scroll.scrollTop;
    });

/** Where an element is in the window, once it has been there for two frames. */
const settledPlace = (element: Locator): Promise<number> =>
  element.evaluate(
    (node) =>
      new Promise((resolve) => {
        const look = (before?: number) => {
          const { top } = node.getBoundingClientRect();
          if (top === before) resolve(top);
          else requestAnimationFrame(() => requestAnimationFrame(() => look(top)));
        };
        look();
      }),
  );
