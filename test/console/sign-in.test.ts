import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/cli/demo/find-free-port.js';
import { readConfig } from '../../src/config/config.js';
import { startSignInProvider } from '../support/sign-in-provider.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const FACTS = { name: 'Ann Archer', email: 'ann@acme.test', tenant_id: 'acme' as string | string[] };
const port = await findFreePort();
const publicUrl = `http://127.0.0.1:${port}`;
const claims = { ...FACTS, roles: ['staff'] };
const provider = await startSignInProvider({ publicUrl, isPublic: true }, claims);
const { authIssuers } = readConfig({
  AUTH_MODE: 'required',
  PUBLIC_URL: publicUrl,
  AUTH_ISSUERS: JSON.stringify({
    ...provider.settings,
    displayName: 'Acme ID',
    tenants: ['acme', 'globex'],
    roles: { staff: ['viewer'] },
  }),
});
afterAll(() => provider.close());
beforeEach(() => Object.assign(claims, FACTS));

describe.skipIf(!hasBrowser)('signing in by a provider', () => {
  const { open, forgive } = useConsole({ authMode: 'required', authIssuers, publicUrl, port });
  /** The pages of the provider, and that nobody was signed in. */
  const forgiveVisits = () => forgive(/^asked http:\/\/127\.0\.0\.1|status of 401/);
  const by = { name: 'Sign in with Acme ID' };

  test('a person signs in, gets to the page that was asked for, and signs out everywhere', async () => {
    const page = await open('/documents?tenant=acme&status=ready');
    const button = page.getByRole('link', by);
    await button.waitFor();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await screenshot(page, 'sign-in-by-provider');
    await button.click();
    await page.getByRole('button', { name: 'ann' }).click();
    await page.getByRole('heading', { name: 'Documents', exact: true }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe('/documents?tenant=acme&status=ready');
    await page.getByText('Ann Archer').waitFor();
    await screenshot(page, 'signed-in-by-provider');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('You may not do this here').waitFor();
    await page.reload();
    await page.getByText('Ann Archer').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await button.click();
    await page.getByRole('button', { name: 'ann' }).waitFor();
    forgiveVisits();
  });

  test('with several tenants, one is chosen; the address of another leads there', async () => {
    claims.tenant_id = ['acme', 'globex'];
    const page = await open('/documents?tenant=demo&unit=demo');
    await page.getByRole('link', by).click();
    await page.getByRole('button', { name: 'ann' }).click();
    await page.getByText('Your account is for several tenants.').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'sign-in-tenants');
    await page.getByRole('link', { name: 'globex' }).click();
    await page.waitForURL('**/documents?tenant=globex');
    await page.getByText('Ann Archer').waitFor();
    await page.goto('/documents?tenant=acme');
    await page.getByRole('heading', { name: 'You are signed in for globex' }).waitFor();
    await screenshot(page, 'sign-in-other-tenant');
    await page.getByRole('link', { name: 'Sign in for acme' }).click();
    await page.getByRole('heading', { name: 'Documents', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?tenant=acme');
    forgiveVisits();
  });

  test('who cancels is told what to do, in both languages', async () => {
    const page = await open('/search?tenant=acme', { language: 'zh' });
    await page.getByRole('link', { name: '使用 Acme ID 登录' }).click();
    await page.getByRole('button', { name: 'cancel' }).click();
    await page.getByRole('alert').getByText('登录未完成').waitFor();
    await page.getByRole('button', { name: '设置', exact: true }).press('Enter');
    await page.getByLabel('语言').selectOption('English');
    await page.getByRole('alert').getByText('You were not signed in').waitFor();
    expect(page.url()).toBe(`${publicUrl}/search?tenant=acme`);
    await screenshot(page, 'sign-in-denied');
    forgiveVisits();
  });
});
