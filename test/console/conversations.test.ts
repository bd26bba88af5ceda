import { v7 as uuid } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const AGENT = '5f0c2b6e-4c0a-4b57-9a53-0a4c3f1f7d21';

describe.skipIf(!hasBrowser)('the conversations screen', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'help' };
  const AT = '/conversations?tenant=acme&unit=help';
  const ids: Record<string, string> = {};

  /** A conversation with so many messages, of two people by turns. */
  async function talk(topic: string, count: number, fields: object = {}): Promise<void> {
    const { id: conversationId } = await app.trpc().conversations.create.mutate({ scope, topic, ...fields });
    ids[topic] = conversationId;
    if (count === 0) return;
    await app.db
      .insertInto('messages')
      .values(
        Array.from({ length: count }, (_, place) => ({
          ...{
            ...scope,
            id: uuid(),
            conversationId,
            agentId: AGENT,
            userId: 'ann',
            runId: `run-${place >> 1}`,
          },
          messageFrom: place % 2 === 0 ? 'user' : 'agent',
          content:
            place % 2 === 0
              ? `Question ${place + 1}: when is my money back?`
              : `Answer ${place + 1}: within thirty days of the return, to the account that it came from.`,
          requestedTime: new Date(Date.UTC(2026, 10, 2, 9, place)),
          ...(place % 2 === 1 && {
            inputTokens: 1_200,
            answerTokens: 34,
            totalTokens: 1_234,
            eventTrace: JSON.stringify([{ event: 'search', hits: 3 }, { event: 'answer' }]),
          }),
        })),
      )
      .execute();
  }

  beforeAll(async () => {
    for (let place = 1; place <= 22; place += 1) await talk(`Note ${place}`, 0, { status: 'succeeded' });
    await talk('退款 1042', 3, { agentId: AGENT, status: 'review-requested' });
    await talk('Refund for order 1042', 130, { agentId: AGENT, assignmentId: 'task-7' });
  });

  test('lists, filters by what there is, and pages; all of it is in the address', async () => {
    const page = await open(AT);
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await page.getByText('1 to 20 of 24').waitFor();
    await list.getByRole('link', { name: /Refund for order 1042\s*Running\s*130 messages/ }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('21 to 24 of 24').waitFor();
    const offered = page.getByRole('main').locator('datalist').first().locator('option');
    expect(
      await offered.evaluateAll((all) => all.map((one) => `${(one as any).value} ${(one as any).label}`)),
    ).toEqual(['00000000-0000-0000-0000-000000000000 22 conversations', `${AGENT} 2 conversations`]);
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Agent').fill(AGENT);
    await page.getByText('1 to 2 of 2').waitFor();
    await page.getByLabel('Status').first().selectOption('Review requested');
    await page.getByText('1 to 1 of 1').waitFor();
    await page.reload();
    await page.getByText('1 to 1 of 1').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      tenant: 'acme',
      unit: 'help',
      state: 'review-requested',
      agent: AGENT,
    });
    await page.getByLabel('Assignment').fill('task-8');
    await page.getByLabel('Assignment').press('Enter');
    await page.getByRole('heading', { name: 'No conversation fits the filters' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('1 to 20 of 24').waitFor();
  });

  test('conversations with bad feedback are found', async () => {
    const judged = { ...scope, tenantUnitId: 'judged' };
    for (const [topic, feedback] of [
      ['Praised', 'up'],
      ['Blamed', 'down'],
    ] as const) {
      const { id: conversationId } = await app.trpc().conversations.create.mutate({ scope: judged, topic });
      await app.db
        .insertInto('messages')
        .values({
          ...{
            ...judged,
            id: uuid(),
            conversationId,
            agentId: AGENT,
            userId: 'ann',
            runId: 'run-1',
            feedback,
          },
          ...{ messageFrom: 'agent', content: 'In the van.', requestedTime: new Date(0) },
        })
        .execute();
    }
    const page = await open('/conversations?tenant=acme&unit=judged');
    await page.getByRole('link', { name: /^Praised/ }).waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Feedback').selectOption('Bad answer');
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByRole('link', { name: /^Blamed/ }).waitFor();
    await page.reload();
    await page.getByText('1 to 1 of 1').waitFor();
    expect(new URL(page.url()).searchParams.get('feedback')).toBe('down');
  });

  test('senders of any name are shown', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { id: conversationId } = await app.trpc().conversations.create.mutate({
      scope: { ...scope, tenantUnitId: 'senders' },
    });
    await app.db
      .insertInto('messages')
      .values(
        names.map((messageFrom) => ({
          ...{ ...scope, tenantUnitId: 'senders', id: uuid(), conversationId, agentId: AGENT, userId: 'ann' },
          ...{ runId: 'run-1', messageFrom, content: 'Hello', requestedTime: new Date(0) },
        })),
      )
      .execute();
    const page = await open(`/conversations?tenant=acme&unit=senders&conversation=${conversationId}`);
    const transcript = page.getByRole('region', { name: 'Transcript' });
    for (const name of names) await transcript.getByText(name, { exact: true }).waitFor();
  });

  test('a transcript of an agent at work begins at its end; earlier messages come on scrolling', async () => {
    const page = await open(AT);
    await page.getByRole('link', { name: /Refund for order 1042/ }).click();
    const transcript = page.getByRole('region', { name: 'Transcript' });
    const last = transcript.getByText('Answer 130:');
    await last.waitFor();
    await expect.poll(() => isInView(last)).toBe(true);
    const message = transcript.getByRole('listitem').filter({ hasText: 'Answer 130:' });
    await message.getByText('Tokens: 1,200 in, 34 out, 1,234 in all').waitFor();
    await message.getByText('Metadata').click();
    await message.getByText('Run run-64').waitFor();
    await message.getByText('Event trace').click();
    await message.getByText('"event": "search"').waitFor();
    await screenshot(page, 'conversations');

    await expect.poll(() => transcript.getByText('Question 1:').count()).toBe(0);
    await last.hover();
    const scrollUp = async () => {
      await page.mouse.wheel(0, -20_000);
      return transcript.getByRole('listitem').count();
    };
    await expect.poll(scrollUp).toBe(130);
    await transcript.getByText('The conversation begins here.').scrollIntoViewIfNeeded();
    await transcript.getByText('Question 1:').waitFor();

    await page.reload();
    await last.waitFor();
    await transcript.getByRole('button', { name: 'To the beginning' }).click();
    await expect.poll(() => isInView(transcript.getByText('Question 1:'))).toBe(true);
  });

  test('a transcript begins at its beginning when no agent is at work, and goes to its end', async () => {
    await talk('Answered', 40, { status: 'succeeded' });
    await talk('Short', 4, { status: 'succeeded' });
    const page = await open(`${AT}&conversation=${ids.Answered}`);
    const transcript = page.getByRole('region', { name: 'Transcript' });
    await expect.poll(() => isInView(transcript.getByText('Question 1:'))).toBe(true);
    await expect.poll(() => transcript.getByText('Answer 40:').count()).toBe(0);
    await transcript.getByRole('button', { name: 'To the end' }).click();
    await expect.poll(() => isInView(transcript.getByText('Answer 40:'))).toBe(true);
    await transcript.getByRole('button', { name: 'To the beginning' }).click();
    await expect.poll(() => isInView(transcript.getByText('Question 1:'))).toBe(true);

    await page.getByRole('link', { name: /Short/ }).click();
    await transcript.getByText('Answer 4:').waitFor();
    expect(await isInView(transcript.getByText('Question 1:'))).toBe(true);
    expect(await transcript.getByRole('button', { name: 'To the end' }).count()).toBe(0);
  });

  test('numbers of tokens that are zero are not shown, nor a total of one of them', async () => {
    await talk('Counted', 2);
    const counts = { inputTokens: 7, answerTokens: 0, totalTokens: 7 };
    await app.db
      .updateTable('messages')
      .set(counts)
      .where('conversationId', '=', ids.Counted as string)
      .where('messageFrom', '=', 'user')
      .execute();
    const page = await open(`${AT}&conversation=${ids.Counted}`);
    const message = page.getByRole('article').filter({ hasText: 'Question 1:' });
    await message.getByText('Tokens: 7 in', { exact: true }).waitFor();
  });

  test('is renamed, gets another status, and tells what it had when', async () => {
    await talk('Lost parcel', 2);
    const page = await open(`${AT}&conversation=${ids['Lost parcel']}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Topic' }).fill('Parcel found');
    await page.getByRole('textbox', { name: 'Topic' }).press('Enter');
    await page.getByRole('heading', { name: 'Parcel found' }).waitFor();
    await page.getByRole('link', { name: /Parcel found/ }).waitFor();
    const status = page.getByRole('combobox', { name: 'Status' }).last();
    await status.selectOption('Input required');
    const toasts = page.getByRole('region', { name: 'Messages', exact: true });
    await toasts.getByText('The status of “Parcel found” is now “Input required”.').waitFor();
    await toasts.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => status.inputValue()).toBe('running');
    await expect.poll(() => status.isEnabled()).toBe(true);
    await status.selectOption('Succeeded');
    const history = page.getByRole('region', { name: 'History of the status' });
    await history.getByText(/^Running → Input required → Running → Succeeded · /).click();
    await expect
      .poll(async () =>
        (await history.getByRole('listitem').allInnerTexts()).map((one) => one.split('\n')[0]),
      )
      .toEqual(['Running', 'Input required', 'Running', 'Succeeded']);
    await screenshot(page, 'conversations-history');
    expect(
      await app.trpc().conversations.get.query({ scope, conversationId: ids['Lost parcel'] as string }),
    ).toMatchObject({ topic: 'Parcel found', status: 'succeeded' });
  });

  test('answers are judged with a note, and the verdict can be taken back', async () => {
    await talk('Judged', 2);
    const page = await open(`${AT}&conversation=${ids.Judged}`);
    const transcript = page.getByRole('region', { name: 'Transcript' });
    const stored = async () => {
      const conversationId = ids.Judged as string;
      const { items } = await app.trpc().messages.list.query({ scope, conversationId });
      return items.map(({ feedback, feedbackNote }) => [feedback, feedbackNote]);
    };
    await transcript.getByText('Answer 2:').waitFor();
    expect(await transcript.getByRole('group', { name: 'Feedback' }).count()).toBe(1);
    const bad = transcript.getByRole('button', { name: 'Bad answer' });
    await bad.click();
    await expect.poll(() => bad.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(stored).toEqual([
      [null, null],
      ['down', null],
    ]);
    await transcript.getByLabel('Note').fill('It takes ten days.');
    await transcript.getByRole('button', { name: 'Save the note' }).click();
    await transcript.getByText('“It takes ten days.”').waitFor();
    expect((await stored())[1]).toEqual(['down', 'It takes ten days.']);
    await screenshot(page, 'conversations-feedback');
    await bad.click();
    await transcript.getByText('“It takes ten days.”').waitFor({ state: 'detached' });
    await expect.poll(async () => (await stored())[1]).toEqual([null, null]);
  });

  test('conversations are reviewed one after another', async () => {
    const desk = { ...scope, tenantUnitId: 'reviews' };
    for (const topic of ['First', 'Second', 'Third']) {
      const fields = { scope: desk, topic, status: 'review-requested' } as const;
      ids[topic] = (await app.trpc().conversations.create.mutate(fields)).id;
    }
    const page = await open(`/conversations?tenant=acme&unit=reviews&conversation=${ids.First}`);
    const bar = page.getByRole('region', { name: 'Review', exact: true });
    await bar.getByText('3 to review').waitFor();
    expect(await bar.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await bar.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await screenshot(page, 'conversations-review');
    await expectAccessible(page);
    await bar.getByLabel('Note').fill('It guessed.');
    await bar.getByRole('button', { name: 'Bad' }).click();
    await page.getByRole('heading', { name: 'Third' }).waitFor();
    // A second press was meant for the conversation before.
    await bar.getByRole('button', { name: 'Good' }).click();
    await bar.getByText('2 to review').waitFor();
    await page.waitForTimeout(600);
    await page.getByRole('heading', { name: 'Third' }).waitFor();
    await bar.getByRole('button', { name: 'Good' }).click();
    // After the last one comes what was passed over.
    await page.getByRole('heading', { name: 'First' }).waitFor();
    await page.waitForTimeout(600);
    await bar.getByRole('button', { name: 'Mixed' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Reviews' }).getByText('Mixed').waitFor();
    const verdictOf = async (topic: string) => {
      const ref = { scope: desk, conversationId: ids[topic] as string };
      const { items } = await app.trpc().conversations.reviews.query(ref);
      return items.map(({ verdict, note }) => [verdict, note]);
    };
    // Also unasked, and then the conversation stays.
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await bar.getByLabel('Note').fill('On second thought');
    await page.waitForTimeout(600);
    await bar.getByRole('button', { name: 'Good' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Reviews' }).getByText('On second thought').waitFor();
    await page.getByRole('heading', { name: 'First' }).waitFor();
    expect(await verdictOf('Second')).toEqual([['bad', 'It guessed.']]);
    expect(await verdictOf('Third')).toEqual([['good', null]]);
    expect(await verdictOf('First')).toEqual([
      ['good', 'On second thought'],
      ['mixed', null],
    ]);
  });

  test('a deletion can be undone, and is made when the page is left', async () => {
    for (const topic of ['Undone', 'Dismissed', 'Left']) await talk(topic, 1);
    const exists = async (topic: string) => {
      const conversationId = ids[topic] as string;
      const found = await app
        .trpc()
        .conversations.get.query({ scope, conversationId })
        .catch(() => undefined);
      return found !== undefined;
    };
    const page = await open(AT);
    const toast = page.getByRole('region', { name: 'Messages' });
    const remove = async (topic: string) => {
      await page.getByRole('link', { name: topic }).click();
      await page.getByRole('heading', { name: topic }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: topic }).waitFor({ state: 'detached' });
    };
    await remove('Undone');
    await toast
      .getByText('“Undone” will be deleted in a few seconds, or when you leave this page.')
      .waitFor();
    await screenshot(page, 'conversations-delete');
    await toast.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Undone' }).waitFor();

    await remove('Dismissed');
    expect(await exists('Dismissed')).toBe(true);
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => exists('Dismissed')).toBe(false);

    await remove('Left');
    expect(await exists('Left')).toBe(true);
    await page.goto(`/audit?tenant=acme&unit=help`);
    await expect.poll(() => exists('Left')).toBe(false);
    expect(await exists('Undone')).toBe(true);
  });

  test('one that is not there is said to be missing, as are all of an empty tenant', async () => {
    const page = await open(`${AT}&conversation=${uuid()}`);
    await page.getByRole('heading', { name: 'Conversation not found' }).waitFor();
    await page.goto('/conversations?tenant=nobody');
    await page.getByRole('heading', { name: 'No conversations here' }).waitFor();
    await screenshot(page, 'conversations-empty');
  });

  test.each([
    ['light', 'en', 'All conversations', 'Refund for order 1042'],
    ['dark', 'zh', '全部会话', '退款 1042'],
  ] as const)('fits 400 px and 1280 px, %s, %s', async (colorScheme, language, back, topic) => {
    for (const width of [400, 1280]) {
      const viewer = { colorScheme, language, viewport: { width, height: 800 } };
      const page = await open(`${AT}&agent=${AGENT}`, viewer);
      await page.getByRole('link', { name: topic }).waitFor();
      await expectNoOverflow(page);
      await screenshot(page, `conversations-list-${colorScheme}-${language}-${width}`);
      await page.getByRole('link', { name: topic }).click();
      await page.getByRole('article').first().waitFor();
      await expectNoOverflow(page);
      await screenshot(page, `conversation-${colorScheme}-${language}-${width}`);
      await expectAccessible(page);
      if (width > 400) continue;
      await expect.poll(() => page.getByRole('link', { name: topic }).isVisible()).toBe(false);
      await page.getByRole('link', { name: back }).click();
      await page.getByRole('link', { name: topic }).waitFor();
    }
  });
});

const isInView = (locator: {
  evaluate(call: (element: Element) => Promise<boolean>): Promise<boolean>;
}): Promise<boolean> =>
  locator.evaluate(
    (element) =>
      new Promise((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect();
          resolve(entry?.isIntersecting ?? false);
        });
        observer.observe(element);
      }),
  );
