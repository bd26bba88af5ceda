import { afterAll, beforeAll, describe, test } from 'vitest';
import { recordBackup } from '../../src/backup/record-backup.js';
import { openSearchServer } from '../support/search-server.js';
import { waitFor } from '../support/wait-for.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
const AT = '?tenant=acme&unit=legal';

const { config, close } = await openSearchServer();
afterAll(close);

describe.skipIf(!hasBrowser)('operations', () => {
  const { app, open } = useConsole({
    meilisearch: config,
    rateLimits: { store: 'memory', keyRequests: { amount: 10_000, seconds: 60 } },
  });

  beforeAll(async () => {
    const { documents } = app.trpc();
    const made = [
      { documentName: 'Deposit', documentContent: 'The deposit is paid back within thirty days.' },
      { documentName: '租赁合同', documentContent: '押金将在三十天内退还。' },
      { documentName: 'A page that is gone', url: 'http://127.0.0.1/a/long/address/without/any/space' },
    ];
    await documents.createMany.mutate({
      scope,
      documentType: 'UnstructuredFile',
      datasetIds: ['contracts'],
      documents: made,
    });
    await app.settle();
    await waitFor(isInStep, { what: 'the index to be in step' });
    // Tried again for as long as the test takes.
    const { items } = await documents.list.query({ scope, statuses: ['failed'] });
    const documentId = items[0]?.id ?? '';
    await app.db
      .updateTable('documents')
      .set({ status: 'created' })
      .where('tenantId', '=', 'acme')
      .where('id', '=', documentId)
      .execute();
    await app.db
      .insertInto('processingJobs')
      .values({
        tenantId: 'acme',
        documentId,
        lane: 'large',
        attempts: 2,
        nextAttemptTime: new Date(Date.now() + 25 * 60_000),
      })
      .execute();
  });

  const isInStep = async () => (await app.trpc().search.status.query()).changes?.waiting === 0;

  /** Removes all chunks from the index, as nobody should. */
  async function loseIndex(): Promise<void> {
    const headers = { authorization: `Bearer ${config.adminKey}`, 'content-type': 'application/json' };
    const ids = await app.db.selectFrom('chunks').select('id').execute();
    await fetch(`${config.url}/indexes/${config.prefix}chunks/documents/delete-batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify(ids.map(({ id }) => id)),
    });
    const isLost = async () => (await app.trpc().search.verify.query())?.missing.count === ids.length;
    await waitFor(isLost, { what: 'the index to be empty' });
  }

  test.each([
    ['light', 'en', 'Compare', 'Compare and repair', 'Missing in the index'],
    ['dark', 'zh', '比较', '比较并修复', '索引中缺失'],
  ] as const)('finds and repairs drift, %s, %s', async (colorScheme, language, verify, repair, missing) => {
    await loseIndex();
    const page = await open(`/operations${AT}`, { colorScheme, language });
    await page.getByText('A page that is gone').waitFor();
    await page.getByRole('button', { name: verify, exact: true }).click();
    await page.getByText(missing).waitFor();
    await page.getByRole('button', { name: repair }).click();
    await page
      .getByText(language === 'en' ? '2 chunks will be indexed again.' : '将重新索引 2 个分块。')
      .waitFor();
    await screenshot(page, `operations-${colorScheme}-${language}-1280`);
    await expectAccessible(page);
    await page.setViewportSize({ width: 400, height: 800 });
    await expectNoOverflow(page);
    await screenshot(page, `operations-${colorScheme}-${language}-400`);
    const inStep = async () => {
      await page.getByRole('button', { name: verify, exact: true }).click();
      const agrees = page.getByText(language === 'en' ? 'agree on 2 chunks' : '一致，共 2 个分块');
      await page.getByRole('status').filter({ hasNotText: /…$/ }).waitFor();
      return agrees.isVisible();
    };
    await waitFor(inStep, { what: 'the index to be in step', intervalMs: 200 });
  });

  test('where PostgreSQL searches there is nothing to compare', async () => {
    const page = await open(`/operations${AT}`);
    await page.route('**/trpc/search.verify**', (route) =>
      route.fulfill({ json: { result: { data: null } } }),
    );
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('PostgreSQL searches its own tables').waitFor();
  });

  test('says when the last backup was made, and that it is overdue', async () => {
    const page = await open(`/operations${AT}`);
    const panel = page.getByRole('region', { name: 'Backups', exact: true });
    await panel.getByText('No backup has been made with lectern backup.', { exact: true }).waitFor();
    await recordBackup(app.db, new Date(Date.now() - 9.1 * 86_400_000));
    await page.reload();
    await panel
      .getByText('The last backup without missing files was made 9 days ago.', { exact: true })
      .waitFor();
    await panel.getByText('Overdue', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('a document of the queue leads to its page', async () => {
    const page = await open(`/operations${AT}`);
    await page.getByRole('link', { name: 'A page that is gone' }).click();
    await page.waitForURL('**/documents/*?tenant=acme&unit=legal');
  });
});
