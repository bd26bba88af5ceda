import { beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

describe.skipIf(!hasBrowser)('a bad answer becomes a judged question', () => {
  const { app, open } = useConsole();
  const scope = { tenantId: 'acme', tenantUnitId: 'shop' };
  const addressOf = (id: string) => `/conversations?tenant=acme&unit=shop&conversation=${id}`;

  beforeAll(async () => {
    const text = (documentName: string, documentContent: string) => ({ documentName, documentContent });
    await app.trpc().documents.createMany.mutate({
      scope,
      documentType: 'UnstructuredFile',
      datasetIds: ['faq'],
      documents: [
        text('Postage', 'We pay the postage of every return.'),
        text('Hours', 'The shop is open from nine to five.'),
      ],
    });
    const ready = () => app.trpc().documents.list.query({ scope, statuses: ['ready'] });
    await waitFor(async () => (await ready()).totalCount === 2, { what: 'the texts to be processed' });
  });

  const talk = async (name: string, status: 'running' | 'review-requested') => {
    await app.trpc().messages.append.mutate({
      scope,
      conversationId: name,
      conversation: { topic: name },
      status,
      messages: [
        { id: `${name}-1`, messageFrom: 'user', content: 'Who pays the postage of a return?' },
        { id: `${name}-2`, messageFrom: 'agent', content: 'I do not know.' },
        { id: `${name}-3`, messageFrom: 'user', content: 'When are you open?' },
        { id: `${name}-4`, messageFrom: 'agent', content: 'Always.' },
      ],
    });
    return name;
  };
  const questionsOf = async (collection: string) => {
    const { items } = await app
      .trpc()
      .evaluations.questions.query({ scope, collection, page: 1, pageSize: 10 });
    return items.map(({ query, language, datasetIds, expected, source }) => ({
      ...{ query, language, datasetIds, source },
      expected: expected.map(({ documentName, grade }) => [documentName, grade]),
    }));
  };

  test('at the answer, with the passage that the search should have found', async () => {
    const id = await talk('parcel', 'running');
    const page = await open(addressOf(id));
    const message = page.getByRole('article').filter({ hasText: 'I do not know.' });
    await message.getByRole('button', { name: 'Bad answer' }).click();
    await message.getByRole('button', { name: 'Add to evaluation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a judged question' });
    await dialog.getByRole('definition').filter({ hasText: 'Who pays the postage' }).waitFor();
    const add = dialog.getByRole('button', { name: 'Add the question' });
    await dialog.getByLabel(/^Postage/).check();
    await expectAccessible(page);
    await screenshot(page, 'conversations-judge');
    await dialog.getByLabel('Collection').fill('postage');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await questionsOf('postage')).toEqual([
      {
        query: 'Who pays the postage of a return?',
        language: 'english',
        datasetIds: ['faq'],
        source: { conversationId: 'parcel', messageId: 'parcel-2' },
        expected: [['Postage', 3]],
      },
    ]);
    const toast = page.getByRole('region', { name: 'Messages' });
    await toast.getByText('The question was added to “postage”.').waitFor();
    await toast.getByRole('button', { name: 'Show the collection' }).click();
    await page.getByRole('region', { name: 'postage' }).waitFor();
    await page.getByText('Who pays the postage of a return?').first().waitFor();
  });

  test('from a review, on a narrow screen, after another search', async () => {
    const id = await talk('hours', 'review-requested');
    const page = await open(addressOf(id), { colorScheme: 'dark', viewport: { width: 390, height: 800 } });
    const bar = page.getByRole('region', { name: 'Review', exact: true });
    await bar.getByRole('button', { name: 'Add to evaluation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a judged question' });
    await dialog.getByText('Always.').waitFor();
    await dialog.getByLabel('Search for the answer').fill('nine to five');
    await dialog.getByRole('button', { name: 'Search' }).click();
    await dialog.getByLabel(/^Hours/).check();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await screenshot(page, 'conversations-judge-390');
    await dialog.getByRole('button', { name: 'Add the question' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await questionsOf('postage').then((all) => all.length)).toBe(2);
    expect((await questionsOf('postage'))[1]).toEqual({
      query: 'When are you open?',
      language: 'english',
      datasetIds: ['faq'],
      source: { conversationId: 'hours', messageId: 'hours-4' },
      expected: [['Hours', 3]],
    });
  });
});
