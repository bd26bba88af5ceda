import { describe, expect, test } from 'vitest';
import { formatApiKey, generateApiKey } from '../../src/auth/api-key-format.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';
import { AT, useThreeDocuments } from './support/three-documents.js';

describe.skipIf(!hasBrowser)('the shell', () => {
  const { app, open, forgive } = useConsole();
  useThreeDocuments(app);

  test('the address names tenant and unit, which are remembered', async () => {
    const page = await open('/');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/overview?tenant=demo&unit=demo');
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    const scope = page.getByRole('button', { name: /^Tenant and unit:/ });
    expect(await scope.textContent()).toBe('demo / demo');
    await scope.click();
    await page.getByLabel('Tenant', { exact: true }).fill('acme');
    await page.getByLabel('Unit', { exact: true }).fill('legal');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByLabel('Tenant', { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => scope.textContent()).toBe('acme / legal');
    await page.getByText('Deposit').waitFor();
    await page.getByRole('link', { name: 'Search lab' }).click();
    await page.waitForURL(`**/search${AT}`);
    await page.goto('/');
    await page.waitForURL(`**/overview${AT}`);
    await expect.poll(() => page.title()).toBe('Overview · Lectern');
  });

  test('an unknown path says so, and leads to the overview of the tenant', async () => {
    const page = await open(`/documents${AT}`, { viewport: { width: 400, height: 800 } });
    await page.getByText('Deposit').waitFor();
    const unknown = `/no/such/page/${'long'.repeat(30)}`;
    await page.goto(`${unknown}${AT}`);
    forgive(/status of 404/);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('heading', { name: `The console has no page ${unknown}` }).waitFor();
    await expect.poll(() => page.title()).toBe('Page not found · Lectern');
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'To the overview' }).click();
    await page.waitForURL(`**/overview${AT}`);
  });

  test('without a unit all of them are shown', async () => {
    const page = await open(`/documents${AT}`);
    await page.getByRole('button', { name: 'Tenant and unit: acme / legal', exact: true }).click();
    await page.getByLabel('Unit', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL('**/documents?tenant=acme');
    await page.getByRole('button', { name: 'Tenant and unit: acme / all units', exact: true }).waitFor();
    await page.getByText('Deposit').waitFor();
  });

  test('keys lead everywhere, and nowhere while one types', async () => {
    const page = await open(`/documents${AT}`);
    await page.getByText('Deposit').waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.waitFor();
    expect(await help.getByRole('definition').allTextContents()).toEqual(
      expect.arrayContaining(['First and last document of the list', 'Tab beside this one']),
    );
    expect(await help.locator('kbd').allTextContents()).toEqual(
      expect.arrayContaining(['↑', '↓', '←', '→', 'PgUp', 'PgDn', 'Home', 'End']),
    );
    await screenshot(page, 'help');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    const question = page.getByRole('combobox', { name: 'Question', exact: true });
    await question.waitFor();
    await page.waitForURL(`**/search${AT}`);
    await expect.poll(() => question.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('g d /?');
    await expect.poll(() => question.inputValue()).toBe('g d /?');
    await question.blur();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(`**/documents${AT}`);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(`**/search${AT}`);
  });

  test.each([
    { route: '/documents', label: 'Name, title or URL' },
    { route: '/conversations', label: 'Search messages and topics' },
    { route: '/audit', label: 'Subject (id)' },
    { route: '/search', label: 'Question' },
    { route: '/overview', label: 'Tenant' },
  ])('an API key is refused by the field $label, and goes nowhere', async ({ route, label }) => {
    const key = formatApiKey(generateApiKey());
    const page = await open(`${route}${AT}`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url(), request.postData() ?? ''));
    if (label === 'Tenant') await page.getByRole('button', { name: /^Tenant and unit:/ }).press('Enter');
    const field = page.getByLabel(label, { exact: true });
    const before = await field.inputValue();
    await field.fill(` ${key}`);
    await page.getByRole('alert').getByText('That is an API key of Lectern').waitFor();
    expect(await field.inputValue()).toBe(before);
    await expectAccessible(page);
    await field.press('Enter');
    await field.blur();
    await page.waitForLoadState('networkidle');
    await field.fill('something else');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect([page.url(), ...asked].filter((text) => text.includes(key))).toEqual([]);
  });

  test('language and theme are chosen and kept', async () => {
    const page = await open(`/documents${AT}`);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Language').selectOption('中文');
    await page.getByRole('heading', { name: '文档' }).waitFor();
    await page.getByLabel('主题').selectOption('深色');
    const looks = () =>
      page.evaluate(() => ({
        language: document.documentElement.lang,
        theme: document.documentElement.dataset.theme,
        page: getComputedStyle(document.body).backgroundColor,
      }));
    const chosen = { language: 'zh-CN', theme: 'dark', page: 'rgb(16, 19, 24)' };
    await expect.poll(looks).toEqual(chosen);
    await page.reload();
    await page.getByRole('heading', { name: '文档' }).waitFor();
    await expect.poll(looks).toEqual(chosen);
  });

  test('on a telephone the settings have a button of their own, and the first document is in sight', async () => {
    const page = await open(`/documents${AT}`, { viewport: { width: 390, height: 844 } });
    const first = page.getByRole('row').filter({ hasText: '租赁合同' });
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(340);
    await expectNoOverflow(page);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Theme', { exact: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'settings-390');
    await page.getByLabel('Language', { exact: true }).selectOption('中文');
    await page.getByRole('heading', { name: '文档', exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByLabel('状态', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '筛选', exact: true }).click();
    await page.getByLabel('状态', { exact: true }).selectOption('就绪');
    await page.getByRole('button', { name: '筛选（1）', exact: true }).waitFor();
    await expectNoOverflow(page);
    await expectAccessible(page);
    await screenshot(page, 'documents-filters-390');
  });

  test('navigation comes first: what is shown and the settings are a button each', async () => {
    const page = await open(`/documents${AT}`);
    await page.getByText('Deposit').waitFor();
    await page.getByRole('button', { name: /^Tenant and unit:/ }).click();
    await page.getByLabel('Tenant', { exact: true }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'scope');
    await page.keyboard.press('Escape');
    await page.getByLabel('Tenant', { exact: true }).waitFor({ state: 'detached' });
    const heights = await page
      .locator('header')
      .locator('button')
      .evaluateAll((buttons) => buttons.map((one) => one.getBoundingClientRect().height));
    expect(heights.every((height) => height < 33)).toBe(true);
    expect(await page.locator('header').getByRole('combobox').count()).toBe(0);
  });

  test('a server that does not answer is named as what is wrong, and asked again', async () => {
    const page = await open(`/documents${AT}`);
    await page.getByText('Deposit').waitFor();
    await page.route('**/trpc/**', (route) => route.abort());
    await page.getByLabel('Status').selectOption('Ready');
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    await screenshot(page, 'documents-no-answer');
    await page.unroute('**/trpc/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    forgive(/ERR_FAILED/);
  });
});

describe.skipIf(!hasBrowser)('with keys required', () => {
  const { app, open, forgive } = useConsole({ authMode: 'required' });
  const texts = {
    en: { title: 'Sign in', key: 'API key', submit: 'Sign in', out: 'Sign out' },
    zh: { title: '登录', key: 'API 密钥', submit: '登录', out: '退出登录' },
  };
  /** A browser says of each refused request that it was. */
  const refused = /status of 401/;

  test.each(['en', 'zh'] as const)('somebody signs in with a key, and out, %s', async (language) => {
    const { key, tenantId } = await app.makeKey();
    const t = texts[language];
    const page = await open('/', { language });
    await page.getByRole('heading', { name: t.title }).waitFor();
    await page.getByLabel(t.key).fill('no key');
    await page.getByRole('button', { name: t.submit }).click();
    await page.getByRole('alert').waitFor();
    await screenshot(page, `sign-in-${language}`);
    await page.getByLabel(t.key).fill(key);
    await page.getByRole('button', { name: t.submit }).click();
    await page.getByRole('button', { name: t.out }).waitFor();
    await page.waitForURL(`**/overview?tenant=${tenantId}**`);
    expect(await page.evaluate(() => [document.cookie, JSON.stringify({ ...localStorage })])).not.toContain(
      key,
    );

    await page.reload();
    await page.getByRole('button', { name: t.out }).waitFor();
    const beside = await page.context().newPage();
    await beside.goto('/');
    await beside.getByRole('button', { name: t.out }).waitFor();
    await page.getByRole('button', { name: t.out }).click();
    await page.getByRole('heading', { name: t.title }).waitFor();
    await beside.reload();
    await beside.getByRole('heading', { name: t.title }).waitFor();
    forgive(refused);
  });

  test('a key that is revoked ends what it has opened', async () => {
    const { id, key, tenantId } = await app.makeKey();
    const page = await open(`/documents?tenant=${tenantId}`);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await app.app.services.apiKeys.revoke({ scope: { tenantId }, keyId: id }, { userId: undefined });
    await page.getByLabel('Status').selectOption('Ready');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    forgive(refused);
  });
});
