import { v7 as uuid } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordBackup } from '../../src/backup/record-backup.js';
import { waitFor } from '../support/wait-for.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
const AT = '?tenant=acme&unit=legal';
const DAY_MS = 86_400_000;
const SUPPORT = '019393a0-0000-7000-8000-000000000001';
const SALES = '019393a0-0000-7000-8000-000000000002';
const SALES_SHOWN = '019393a0…0002';

describe.skipIf(!hasBrowser)('the overview', () => {
  const { app, open } = useConsole({ quotas: { documents: 10, chunks: 100, bytes: 1_000_000 } });

  beforeAll(async () => {
    const { documents, conversations, chunks } = app.trpc();
    const made = [
      { documentName: 'Deposit', documentContent: 'The deposit is paid back within thirty days.' },
      { documentName: '租赁合同', documentContent: '押金将在三十天内退还。' },
      { documentName: 'Private', url: 'http://127.0.0.1/private' },
    ];
    await documents.createMany.mutate({
      scope,
      documentType: 'UnstructuredFile',
      datasetIds: ['contracts'],
      documents: made,
    });
    for (const status of ['running', 'succeeded', 'succeeded', 'failed'] as const) {
      await conversations.create.mutate({ scope, status });
    }
    // Ten days of two agents.
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
    for (const [agentId, days] of [
      [SUPPORT, 10],
      [SALES, 4],
    ] as const) {
      const imported = Array.from({ length: days }, (_, ago) => {
        const at = (seconds: number) => new Date(noon - ago * DAY_MS + seconds * 1_000).toISOString();
        const message = { agentId, userId: 'ada', runId: uuid() };
        return {
          id: uuid(),
          tenantUnitId: scope.tenantUnitId,
          agentId,
          userId: 'ada',
          topic: `Day ${ago}`,
          status: 'succeeded' as const,
          createdTime: at(0),
          updatedTime: at(0),
          messages: [
            { ...message, id: uuid(), messageFrom: 'user', content: 'Where is it?', requestedTime: at(0) },
            {
              ...message,
              id: uuid(),
              messageFrom: 'agent',
              content: 'In the van.',
              requestedTime: at(3 + 3 * ago),
              inputTokens: 900 + 40 * ago,
              answerTokens: 200 + 15 * ago,
              totalTokens: 1_100 + 55 * ago,
              feedback: ago % 3 === 0 ? 'down' : 'up',
            },
          ],
        };
      });
      await conversations.import.mutate({ scope, conversations: imported });
    }
    await app.settle();
    const { overview } = app.trpc();
    const areCounted = async () =>
      (await overview.conversations.query({ scope })).agents.some(
        ({ agentId, agentMessages }) => agentId === SALES && agentMessages === 4,
      );
    await waitFor(areCounted, { what: 'conversations to be counted' });
    for (const query of ['deposit', '押金', 'rent']) {
      await chunks.search.query({ scope, datasetIds: ['contracts'], query });
    }
    // A day that was busy.
    const now = Date.now();
    await app.db
      .insertInto('activityMinutes')
      .values(
        Array.from({ length: 50 }, (_, i) => ({
          tenantId: 'acme',
          process: 'another',
          minute: new Date(now - (now % 60_000) - i * 60_000),
          documentsReady: (i * 7) % 13,
          documentsFailed: i % 9 === 0 ? 2 : 0,
          chunks: i * 4,
          searches: 20 + ((i * 11) % 17),
          searchesFailed: i % 16 === 0 ? 3 : 0,
          searchLatencies: Array.from({ length: 20 }, (__, bucket) =>
            bucket > 2 && bucket < 10 ? 1 + ((i + bucket) % 5) : 0,
          ),
        })),
      )
      .execute();
    const counted = async () => {
      const { rates } = await app.trpc().overview.rates.query({ scope: { tenantId: 'acme' } });
      return rates?.some(({ ready }, i) => i > 57 && ready > 0);
    };
    await waitFor(counted, { what: 'activity to be stored' });
  });

  test.each([
    ['light', 'en'],
    ['dark', 'zh'],
  ] as const)('shows numbers and charts, %s, %s', async (colorScheme, language) => {
    const failed = {
      en: /^(?!\d).+ failed: the address is not public$/,
      zh: /^(?!\d).+ 处理失败：地址不是公网地址$/,
    };
    for (const width of [400, 1280, 1440]) {
      const page = await open(`/overview${AT}`, { colorScheme, language, viewport: { width, height: 900 } });
      await page.getByRole('link', { name: failed[language] }).waitFor();
      await page.getByRole('img').nth(7).waitFor();
      await page.getByRole('img').first().waitFor();
      await expectNoOverflow(page);
      await screenshot(page, `overview-${colorScheme}-${language}-${width}`);
      if (width !== 400) await expectAccessible(page);
    }
  });

  test('numbers lead to what they count, and charts have their numbers in a table', async () => {
    const page = await open(`/overview${AT}`);
    const documents = page.getByRole('region', { name: 'Documents', exact: true });
    await documents.getByRole('link', { name: '3 in all', exact: true }).waitFor();
    await documents.getByRole('link', { name: 'Ready 2', exact: true }).waitFor();
    const charts = page.getByRole('region', { name: 'Over time' });
    await charts.getByRole('img', { name: 'Searches: ' }).waitFor();
    // By key: panels above still load, and a click could miss.
    await charts.getByText('Numbers', { exact: true }).first().press('Enter');
    await charts.getByRole('columnheader', { name: 'Ready' }).waitFor();
    await charts.getByLabel('Period').selectOption('Last 24 hours');
    await charts.getByRole('img', { name: 'Time of a search: Last: median' }).waitFor();
    await documents.getByRole('link', { name: 'Failed 1', exact: true }).click();
    await page.waitForURL(/\/documents\?.*status=failed/);
    await page.getByRole('link', { name: 'Private', exact: true }).waitFor();
  });

  test('conversations are shown by day and by agent, and lead to those of an agent', async () => {
    const page = await open(`/overview${AT}`);
    const panel = page.getByRole('region', { name: 'Conversations by day' });
    await panel.getByRole('img', { name: 'Messages: 14 of users, 14 of agents' }).waitFor();
    await panel.getByRole('img', { name: 'Feedback: 8 good, 6 bad' }).waitFor();
    await panel.getByText('Numbers by day', { exact: true }).first().press('Enter');
    expect(await panel.getByRole('rowheader').count()).toBe(10);
    const rowOf = async (agent: string) =>
      panel.getByRole('row').filter({ hasText: agent }).getByRole('cell').allInnerTexts();
    await expect
      .poll(() => rowOf(SALES_SHOWN))
      .toEqual([SALES_SHOWN, '4', '8', '4,730', '2', '2', expect.any(String)]);
    await panel.getByLabel('Days', { exact: true }).selectOption('Last 7 days');
    await panel.getByRole('img', { name: 'Messages: 11 of users, 11 of agents' }).waitFor();
    await panel.getByRole('row').filter({ hasText: SALES_SHOWN }).getByRole('link', { name: '4' }).click();
    await page.waitForURL(new RegExp(`/conversations\\?.*agent=${SALES}`));
    await page.getByText('Day 3').waitFor();
    await page.goBack();
    const sales = panel.getByRole('row').filter({ hasText: SALES_SHOWN });
    await sales.getByRole('cell').nth(5).getByRole('link').press('Enter');
    await page.waitForURL(new RegExp(`/conversations\\?.*agent=${SALES}.*feedback=down`));
    await page.getByText('1 to 2 of 2').waitFor();
  });

  test.each(['en', 'zh'] as const)(
    'a tenant without anything is asked one question, %s',
    async (language) => {
      const title = { en: 'What should your agents know?', zh: '您的智能体应该知道什么？' }[language];
      for (const width of [400, 1280]) {
        const page = await open('/overview?tenant=nobody', { language, viewport: { width, height: 800 } });
        await page.getByRole('heading', { name: title, exact: true }).waitFor();
        expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
        await screenshot(page, `overview-empty-${language}-${width}`);
        await expectNoOverflow(page);
        await expectAccessible(page);
      }
    },
  );

  test('the question is answered by a file, a text, pages or samples', async () => {
    const page = await open('/overview?tenant=nobody');
    const dialog = page.getByRole('dialog', { name: 'Add documents', exact: true });
    for (const [way, tab] of [
      ['Upload files', 'Files'],
      ['Paste text', 'Text'],
      ['Add web pages', 'Web pages'],
    ] as const) {
      await page.getByRole('link', { name: way }).click();
      await dialog.getByRole('tab', { name: tab, exact: true, selected: true }).waitFor();
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('tenants and units that are there are offered', async () => {
    const page = await open(`/overview${AT}`);
    const offered = (label: string) =>
      page
        .getByLabel(label, { exact: true })
        .evaluate((field: HTMLInputElement) => [...(field.list?.options ?? [])].map(({ value }) => value));
    await page.getByRole('button', { name: 'Tenant and unit: acme / legal', exact: true }).press('Enter');
    await expect.poll(() => offered('Tenant')).toEqual(['acme']);
    await expect.poll(() => offered('Unit')).toEqual(['legal']);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await expect.poll(() => offered('Dataset')).toEqual(['contracts']);
    await page.getByRole('link', { name: 'Search lab' }).click();
    await page.getByRole('button', { name: 'Remove contracts', exact: true }).click();
    await page.getByLabel('Datasets').press('ArrowDown');
    const option = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await option.filter({ hasText: 'contracts' }).filter({ hasText: '3 documents' }).waitFor();
    expect(await option.count()).toBe(1);
  });

  test('after the first documents, they are asked, also from a program', async () => {
    const page = await open('/overview?tenant=newcomer&unit=shop');
    await page.getByRole('button', { name: 'Try samples' }).click();
    await page.waitForURL('**/documents?tenant=newcomer&unit=shop');
    await page.getByRole('button', { name: 'Search them', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Use it from your program', exact: true });
    await panel.waitFor();
    await expectAccessible(page);
    await screenshot(page, 'overview-use-it');
    await panel.getByRole('button', { name: 'MCP', exact: true }).click();
    await expect
      .poll(() => panel.locator('pre').textContent())
      .toBe(
        JSON.stringify(
          { mcpServers: { lectern: { type: 'http', url: `${app.address}/mcp?tenantId=newcomer` } } },
          null,
          2,
        ),
      );
    await panel.getByRole('button', { name: 'curl', exact: true }).click();
    await expect.poll(() => panel.locator('pre').textContent()).toContain('"dataset_ids":["samples"]');
    // What is proposed has an answer, whatever the documents are.
    const field = panel.getByLabel('Ask your documents', { exact: true });
    await expect.poll(() => field.getAttribute('placeholder')).not.toBe('How long does it take?');
    const proposed = await field.getAttribute('placeholder');
    const scope = { tenantId: 'newcomer', tenantUnitId: 'shop' };
    const asked = { scope, datasetIds: ['samples'], query: proposed ?? '' };
    expect(await app.trpc().chunks.search.query(asked)).not.toEqual([]);
    await expect.poll(() => panel.locator('pre').textContent()).toContain(`"query":"${proposed}"`);
    await panel.getByRole('button', { name: 'TypeScript', exact: true }).click();
    await expect.poll(() => panel.locator('pre').textContent()).toContain('How to install the client: http');
    await panel.getByLabel('Ask your documents').fill('Who pays for the return?');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.waitForURL('**/search?**datasets=samples**');
    await page.locator('mark').first().waitFor();
  });

  test('charts stand below the panels, say their highest value, and show a search alone in its minute', async () => {
    const quiet = { tenantId: 'quiet', tenantUnitId: 'legal' };
    await app.trpc().documents.create.mutate({ scope: quiet, documentType: 'UnstructuredFile' });
    await app.db
      .insertInto('activityMinutes')
      .values({
        tenantId: 'quiet',
        process: 'another',
        minute: new Date(Math.floor(Date.now() / 60_000) * 60_000 - 600_000),
        documentsReady: 0,
        documentsFailed: 0,
        chunks: 0,
        searches: 7,
        searchesFailed: 2,
        searchLatencies: Array.from({ length: 20 }, (_, bucket) => (bucket === 3 ? 7 : 0)),
      })
      .execute();
    const page = await open('/overview?tenant=quiet', { viewport: { width: 1440, height: 900 } });
    const charts = page.getByRole('region', { name: 'Over time', exact: true });
    await charts.getByRole('img', { name: 'Time of a search: ' }).locator('circle').nth(1).waitFor();
    await expect.poll(() => charts.getByText('7', { exact: true }).count()).toBe(1);
    const lefts = async (titles: readonly string[], level: number) => {
      const boxes = titles.map((name) =>
        page.getByRole('heading', { name, level, exact: true }).boundingBox(),
      );
      return (await Promise.all(boxes)).map((box) => Math.round(box?.x ?? 0));
    };
    expect(await lefts(['Documents processed', 'Searches', 'Time of a search'], 3)).toEqual(
      await lefts(['Documents', 'Conversations', 'Storage and quotas'], 2),
    );
  });
});

describe.skipIf(!hasBrowser)('what needs attention', () => {
  const { app, open } = useConsole();

  beforeAll(async () => {
    const { documents, conversations, webhooks, apiKeys } = app.trpc();
    const create = async (documentName: string) => {
      const { id } = await documents.create.mutate({
        scope,
        documentType: 'UnstructuredFile',
        datasetIds: ['contracts'],
        documentName,
        documentContent: `${documentName} has a text.`,
      });
      return id;
    };
    const names = ['Lease', 'Offer', 'Locked', 'Scan', 'Halved', 'Fine'] as const;
    const ids: string[] = [];
    for (const name of names) ids.push(await create(name));
    await app.settle();
    const failed = (code: string) => ({
      status: 'failed' as const,
      error: JSON.stringify({ code, stage: 'parsing', message: 'It failed.', retryable: false }),
    });
    const warning = {
      code: 'unreadable_parts',
      file: null,
      pages: [],
      pageCount: 0,
      names: [],
      nameCount: 0,
    };
    for (const [place, changes] of [
      failed('internal'),
      failed('internal'),
      failed('encrypted'),
      failed('novel'),
      { warnings: JSON.stringify([warning]) },
    ].entries()) {
      await app.db
        .updateTable('documents')
        .set(changes)
        .where('tenantId', '=', scope.tenantId)
        .where('id', '=', ids[place] ?? '')
        .execute();
    }
    for (const status of ['input-required', 'review-requested', 'review-requested', 'running'] as const) {
      await conversations.create.mutate({ scope, status, topic: `It is ${status}` });
    }
    for (const [name, changes] of [
      ['paused', { failures: 15, pausedTime: new Date() }],
      ['failing', { failures: 1 }],
      ['well', { failures: 0 }],
    ] as const) {
      const url = `https://${name}.test/`;
      const { id } = await webhooks.create.mutate({
        scope: { tenantId: scope.tenantId },
        url,
        eventTypes: ['document.ready'],
      });
      await app.db
        .updateTable('webhookSubscriptions')
        .set(changes)
        .where('tenantId', '=', scope.tenantId)
        .where('id', '=', id)
        .execute();
    }
    for (const [name, expiresIn] of [
      ['nightly', '10d'],
      ['yearly', '365d'],
    ] as const) {
      await apiKeys.create.mutate({
        scope: { tenantId: scope.tenantId },
        name,
        scopes: ['search'],
        expiresIn,
      });
    }
    await recordBackup(app.db, new Date(Date.now() - 9.1 * 86_400_000));
  });

  const LINES = {
    en: [
      '2 documents failed: an unexpected error',
      'Locked failed: a password protects the file',
      'Scan failed: novel',
      '1 webhook is paused',
      '1 webhook is failing',
      '1 API key expires within 14 days',
      'The last complete backup was made 9 days ago',
      'Halved has warnings',
      '1 conversation waits for input',
      '2 conversations wait for review',
    ],
    zh: [
      '2 个文档失败：意外错误',
      'Locked 处理失败：文件有密码保护',
      'Scan 处理失败：novel',
      '1 个 Webhook 已暂停',
      '1 个 Webhook 发送失败',
      '1 个 API 密钥将在 14 天内过期',
      '上次完整备份于9天前完成',
      'Halved 有警告',
      '1 个会话等待输入',
      '2 个会话等待审核',
    ],
  };
  const TITLES = { en: 'Needs attention', zh: '需要处理' };
  const MORE = { en: 'Show 4 more', zh: '显示其余 4 项' };

  test.each([
    ['light', 'en'],
    ['dark', 'zh'],
  ] as const)('is said in lines, the worst first, %s, %s', async (colorScheme, language) => {
    for (const width of [400, 1440]) {
      const page = await open(`/overview${AT}`, { colorScheme, language, viewport: { width, height: 900 } });
      const panel = page.getByRole('region', { name: TITLES[language], exact: true });
      await panel.waitFor();
      await expect.poll(() => panel.getByRole('link').allInnerTexts()).toEqual(LINES[language].slice(0, 6));
      await page.getByRole('img').nth(7).waitFor();
      await screenshot(page, `overview-attention-${colorScheme}-${language}-${width}`);
      await panel.getByRole('button', { name: MORE[language], exact: true }).click();
      await panel.getByRole('link').nth(9).waitFor();
      await expect.poll(() => panel.getByRole('link').allInnerTexts()).toEqual(LINES[language]);
      await expectNoOverflow(page);
      await expectAccessible(page);
    }
  });

  test.each([
    ['Locked failed: a password protects the file', /\/documents\?.*reason=encrypted/, ['Locked']],
    ['Scan failed: novel', /\/documents\?.*reason=novel/, ['Scan']],
    ['1 webhook is paused', /\/webhooks\?.*trouble=paused/, ['https://paused.test/']],
    ['1 webhook is failing', /\/webhooks\?.*trouble=failing/, ['https://failing.test/']],
    ['Halved has warnings', /\/documents\?.*status=warnings/, ['Halved']],
  ])('%s: leads to exactly those', async (line, url, names) => {
    const page = await open(`/overview${AT}`);
    const panel = page.getByRole('region', { name: 'Needs attention', exact: true });
    await panel.getByRole('button', { name: 'Show 4 more', exact: true }).click();
    await panel.getByRole('link', { name: line, exact: true }).click();
    await page.waitForURL(url);
    const table = page.getByRole('table');
    await table.getByRole('link', { name: names[0] ?? '', exact: true }).waitFor();
    expect(await table.getByRole('link').allInnerTexts()).toEqual(names);
  });

  test('conversations and keys lead to exactly those, too', async () => {
    const page = await open(`/overview${AT}`);
    const panel = page.getByRole('region', { name: 'Needs attention', exact: true });
    await panel.getByRole('link', { name: '1 API key expires within 14 days', exact: true }).click();
    await page.waitForURL(/\/keys\?.*expiry=soon/);
    const rows = page.getByRole('table').getByRole('row');
    await rows.filter({ hasText: 'nightly' }).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Expires', { exact: true }).selectOption('In the last 14 days');
    await page.getByRole('heading', { name: 'No such keys', exact: true }).waitFor();
    await page.goBack();
    await page.goBack();
    await panel.getByRole('button', { name: 'Show 4 more', exact: true }).click();
    await panel.getByRole('link', { name: '2 conversations wait for review', exact: true }).click();
    await page.waitForURL(/\/conversations\?.*state=review-requested/);
    await expect.poll(() => page.getByText('It is review-requested', { exact: true }).count()).toBe(2);
  });

  test('a day of the chart leads to its conversations', async () => {
    const page = await open(`/overview${AT}`);
    const panel = page.getByRole('region', { name: 'Conversations by day', exact: true });
    await panel.getByRole('img', { name: 'Conversations: 4 created', exact: true }).waitFor();
    await panel.getByText('Numbers by day', { exact: true }).first().press('Enter');
    await panel.getByRole('rowheader').getByRole('link').click();
    const today = new Date().toISOString().slice(0, 10);
    await page.waitForURL(new RegExp(`/conversations\\?.*from=${today}&to=${today}`));
    await page.getByText('It is running', { exact: true }).waitFor();
  });

  test('charts leave room for what loads above them, and Chinese has colons of its own', async () => {
    const page = await open('about:blank', { language: 'zh', viewport: { width: 1440, height: 900 } });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/overview\.conversations|overview\.rates/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(`/overview${AT}`);
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await region('需要处理').waitFor();
    await region('随时间变化').getByText('正在加载…', { exact: true }).waitFor();
    const top = async () => (await region('每日会话').boundingBox())?.y ?? 0;
    const height = async () => (await region('随时间变化').boundingBox())?.height ?? 0;
    const before = { top: await top(), height: await height() };
    answer();
    await region('每日会话').getByRole('img', { name: '会话：新建 4', exact: true }).waitFor();
    await region('随时间变化').getByRole('img').last().waitFor();
    await expect.poll(async () => Math.abs((await height()) - before.height)).toBeLessThan(3);
    expect(Math.abs((await top()) - before.top)).toBeLessThan(3);
  });

  test('of another unit there is what concerns the tenant', async () => {
    const page = await open('/overview?tenant=acme&unit=sales');
    const panel = page.getByRole('region', { name: 'Needs attention', exact: true });
    await panel.waitFor();
    expect(await panel.getByRole('link').allInnerTexts()).toEqual(LINES.en.slice(3, 7));
  });

  test('documents that failed for a passing reason are processed again, all at once', async () => {
    const page = await open(`/overview${AT}`);
    const panel = page.getByRole('region', { name: 'Needs attention', exact: true });
    await panel.getByRole('button', { name: 'Process again: an unexpected error', exact: true }).click();
    await page.getByText('2 documents will be processed again.', { exact: true }).waitFor();
    await panel
      .getByRole('link', { name: '2 documents failed: an unexpected error', exact: true })
      .waitFor({ state: 'detached' });
    await app.settle();
    const { items } = await app.trpc().documents.list.query({ scope, statuses: ['ready'] });
    expect(items.map(({ documentName }) => documentName).sort()).toEqual([
      'Fine',
      'Halved',
      'Lease',
      'Offer',
    ]);
  });
});

describe.skipIf(!hasBrowser)('the overview of a key', () => {
  const { app, open, forgive } = useConsole({
    authMode: 'required',
    rateLimits: { store: 'memory', keyRequests: { amount: 1_200, seconds: 60 } },
  });

  test('makes a key beside the code that has it, until it is left', async () => {
    const { key } = await app.makeKey({ scope: { tenantId: 'fresh' } });
    const scope = { tenantId: 'fresh', tenantUnitId: 'shop' };
    await app.trpc({ 'x-api-key': key }).documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentName: 'Returns',
      documentContent: 'Within thirty days.',
      datasetIds: ['faq'],
    });
    await app.settle();
    const page = await open('/');
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await page.goto('/overview?tenant=fresh&unit=shop');
    const panel = page.getByRole('region', { name: 'Use it from your program', exact: true });
    const code = panel.locator('pre');
    await expect.poll(() => code.textContent()).toContain('$LECTERN_KEY');
    await panel.getByRole('button', { name: 'Make a key', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Make a key', exact: true });
    await expect.poll(() => form.getByLabel('Name', { exact: true }).inputValue()).toBe('My first program');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Make it', exact: true }).click();
    await panel.getByText('The code has the new key.').waitFor();
    const made = /x-api-key: (lectern_\w+)/.exec((await code.textContent()) ?? '')?.[1] ?? '';
    await expectAccessible(page);
    await screenshot(page, 'overview-made-key');
    const hits = app.trpc({ 'x-api-key': made }).chunks.search;
    const asked = { scope, datasetIds: ['faq'], query: 'thirty days' };
    expect(await hits.query(asked)).toHaveLength(1);
    await expect.poll(() => code.textContent()).toContain('"query":"Within thirty days."');
    const { items } = await app
      .trpc({ 'x-api-key': key })
      .apiKeys.list.query({ scope: { tenantId: 'fresh' } });
    expect(items.find(({ name }) => name === 'My first program')).toMatchObject({
      tenantUnitIds: ['shop'],
      scopes: ['documents:read', 'search'],
    });
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await page.getByRole('heading', { name: 'Documents', exact: true, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await expect.poll(() => code.textContent()).toContain('$LECTERN_KEY');
    expect(await page.content()).not.toContain(made);
    forgive(/status of 401/);
  });

  test('shows what it may see, in its only unit', async () => {
    const { key } = await app.makeKey({
      scope: { tenantId: 'acme', tenantUnitId: 'sales' },
      scopes: ['documents:read'],
    });
    const writer = await app.makeKey();
    const { documents } = app.trpc({ 'x-api-key': writer.key });
    const { id: documentId } = await documents.create.mutate({
      scope: { tenantId: 'acme', tenantUnitId: 'sales' },
      documentType: 'UnstructuredFile',
      documentName: 'Stopped',
    });
    await app.db
      .updateTable('documents')
      .set({
        status: 'failed',
        error: JSON.stringify({
          code: 'cancelled',
          stage: 'waiting',
          message: 'Cancelled.',
          retryable: true,
        }),
      })
      .where('tenantId', '=', 'acme')
      .where('id', '=', documentId)
      .execute();
    const page = await open('/');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/overview?tenant=acme&unit=sales');
    await page.getByText('You need the permission conversations:read.').first().waitFor();
    await page.getByText('your key has access to only a part').first().waitFor();
    const panel = page.getByRole('region', { name: 'Needs attention', exact: true });
    await panel.getByRole('link', { name: 'Stopped failed: somebody cancelled it', exact: true }).waitFor();
    // It may not write.
    expect(await panel.getByRole('button').count()).toBe(0);
    await screenshot(page, 'overview-limited-key');
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByText('You need the permission operations.').first().waitFor();
    await page.getByText('Requests with this key').waitFor();
    await screenshot(page, 'operations-limited-key');
    // Where nobody is signed in, the server says so.
    forgive(/status of 401/);
  });
});
