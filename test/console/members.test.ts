import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { type Permission, permissions } from '../../src/auth/permissions.js';
import { waitFor } from '../support/wait-for.js';
import { expectAccessible } from './support/accessibility.js';
import { expectNoOverflow, hasBrowser, screenshot, useConsole } from './support/browser.js';

const issuer = await startTokenIssuer();
const TENANTS = ['acme', 'admins', 'many', 'empty', 'looks'];
const LAST_ADMIN =
  'This is the last admin of the tenant. Give another member the role admin, for all units, and try again.';

describe.skipIf(!hasBrowser)('the screen of members', () => {
  const { app, open, forgive } = useConsole({
    authMode: 'required',
    authIssuers: [issuer.config({ tenants: TENANTS, newMembers: 'everybody' })],
  });
  afterAll(() => issuer.close());

  /** Opens a path, signed in with a key of a tenant. */
  async function openAs(
    tenantId: string,
    route: string,
    { scopes = [...permissions], ...viewer }: { scopes?: Permission[] } & Parameters<typeof open>[1] = {},
  ): Promise<Page> {
    const { key } = await app.makeKey({ scope: { tenantId }, scopes });
    const page = await open('/overview', viewer);
    const isChinese = viewer.language === 'zh';
    await page.getByLabel(isChinese ? 'API 密钥' : 'API key').fill(key);
    await page.getByRole('button', { name: isChinese ? '登录' : 'Sign in' }).click();
    await page.getByRole('button', { name: isChinese ? '退出登录' : 'Sign out' }).waitFor();
    forgive(/status of 401/);
    await page.goto(route);
    return page;
  }

  async function callerFor(tenantId: string) {
    const { key } = await app.makeKey({ scope: { tenantId } });
    return app.trpc({ 'x-api-key': key, 'x-user-id': 'root' });
  }

  /** Signs users in, one after another. */
  async function join(tenantId: string, ...users: { sub: string; name?: string; email?: string }[]) {
    const scope = { tenantId };
    const { members } = await callerFor(tenantId);
    for (const user of users) {
      const exp = Math.floor(Date.now() / 1000) + 300;
      const token = await issuer.sign({ tenant_id: tenantId, exp, ...user });
      await app.trpc({ authorization: `Bearer ${token}` }).session.get.query();
      const find = () => members.list.query({ scope, userId: user.sub });
      await waitFor(async () => (await find()).totalCount === 1, { what: `the member ${user.sub}` });
    }
  }

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  test('says how there come to be members', async () => {
    const page = await openAs('empty', '/members');
    await page.getByRole('heading', { name: 'No members yet' }).waitFor();
    await page.getByText('with their first token that is accepted').waitFor();
    expect(await page.getByRole('link', { name: 'How to connect a provider' }).getAttribute('href')).toBe(
      '/docs/guide/how-to/sign-in-with-tokens.html',
    );
    await screenshot(page, 'members-empty');
    await expectAccessible(page);
  });

  test('a role is given, restricted and withdrawn', async () => {
    const scope = { tenantId: 'acme' };
    await join('acme', { sub: 'ann-1', name: 'Ann Lee', email: 'ann@acme.test' }, { sub: 'root' });
    const { members } = await callerFor('acme');
    const [ann] = (await members.list.query({ scope, userId: 'ann-1' })).items;
    const read = async () => {
      const { role, tenantUnitIds, datasetIds } = await members.get.query({
        scope,
        memberId: ann?.id as string,
      });
      return { role, tenantUnitIds, datasetIds };
    };

    const page = await openAs('acme', '/members');
    const cells = row(page, 'Ann Lee').getByRole('cell');
    await cells.first().waitFor();
    const said = (await cells.allInnerTexts()).map((text) => text.split('\n').filter(Boolean));
    expect(said).toEqual([
      ['AL', 'Ann Lee', 'ann-1', 'ann@acme.test'],
      [issuer.url],
      ['From claims'],
      ['–'],
      [expect.stringMatching(/^\d+ \w+ ago$/)],
      [expect.stringContaining('Change the role')],
    ]);

    await page.getByRole('link', { name: 'Change the role of Ann Lee' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Role of Ann Lee' });
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByText('what the claims of its tokens permit').waitFor();
    await dialog.getByLabel('Role given here').selectOption('editor');
    await dialog.getByText('Reads, and changes conversations').waitFor();
    await dialog.getByLabel('Units, separated by commas').fill('sales, support');
    await dialog.getByLabel('Datasets').fill('handbook');
    await dialog.getByLabel('Datasets').press('Enter');
    await dialog.getByRole('button', { name: 'Remove handbook', exact: true }).waitFor();
    await screenshot(page, 'members-role');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Ann Lee now has the role editor.').waitFor();
    await row(page, 'Ann Lee').getByText('Units: sales, support').waitFor();
    await row(page, 'Ann Lee').getByText('Datasets: handbook').waitFor();
    expect(await read()).toEqual({
      role: 'editor',
      tenantUnitIds: ['sales', 'support'],
      datasetIds: ['handbook'],
    });
    expect(new URL(page.url()).searchParams.get('member')).toBe(null);

    // Deep link, with who changed it.
    await page.goto(`/members?member=${ann?.id}`);
    await dialog.getByRole('button', { name: 'Remove handbook', exact: true }).waitFor();
    await dialog.getByLabel('Role given here').selectOption('admin');
    expect(await dialog.getByLabel('Datasets').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Ann Lee').getByText('all datasets').waitFor();
    expect(await read()).toEqual({ role: 'admin', tenantUnitIds: ['sales', 'support'], datasetIds: null });

    await page.getByRole('link', { name: 'Change the role of Ann Lee' }).click();
    await dialog.getByLabel('Role given here').selectOption('none');
    expect(await dialog.getByLabel('Units, separated by commas').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Ann Lee no longer has a role.').waitFor();
    await row(page, 'Ann Lee').getByText('From claims').waitFor();
    expect(await read()).toEqual({ role: null, tenantUnitIds: null, datasetIds: null });

    await page.goto('/members?member=gone');
    await page.getByRole('dialog', { name: 'Member' }).getByText('Member not found.').waitFor();
    forgive(/status of 404/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.goto('/audit');
    const entry = page.getByRole('row').filter({ hasText: 'Gave a role to a member' });
    await expect.poll(() => entry.count()).toBe(3);
  });

  test('the last admin stays, in the words of the server', async () => {
    const scope = { tenantId: 'admins' };
    await join('admins', { sub: 'ada', name: 'Ada' }, { sub: 'ben', name: 'Ben' });
    const { members } = await callerFor('admins');
    const [ada] = (await members.list.query({ scope, userId: 'ada' })).items;
    await members.setRole.mutate({ scope, memberId: ada?.id as string, role: 'admin' });

    const page = await openAs('admins', '/members?role=admin');
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByRole('link', { name: 'Change the role of Ada' }).click();
    const dialog = page.getByRole('dialog', { name: 'Role of Ada' });
    await dialog.getByLabel('Role given here').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText(`role: ${LAST_ADMIN}`).waitFor();
    await screenshot(page, 'members-last-admin');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove Ada' }).click();
    const asking = page.getByRole('dialog', { name: 'Remove Ada?' });
    await asking.getByRole('button', { name: 'Remove' }).click();
    await asking.getByRole('alert').getByText(`memberId: ${LAST_ADMIN}`).waitFor();
    forgive(/status of 409/);
    await asking.getByRole('button', { name: 'Cancel' }).click();

    await page.getByLabel('Role', { exact: true }).selectOption('');
    await page.getByRole('button', { name: 'Remove Ben' }).click();
    await page.getByText('becomes a new member, without a role').waitFor();
    await screenshot(page, 'members-remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Ben is no longer a member.').waitFor();
    await row(page, 'Ben').waitFor({ state: 'detached' });
    expect((await members.list.query({ scope })).items).toMatchObject([{ userId: 'ada', role: 'admin' }]);
  });

  test('who may only read sees no button that changes; who may not, what it takes', async () => {
    await join('looks', { sub: 'eve', name: 'Eve Stone' });
    const page = await openAs('looks', '/members', { scopes: ['members:read'] });
    await page.getByRole('link', { name: 'Show Eve Stone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Eve Stone' });
    await dialog.getByText(issuer.url).waitFor();
    expect(await page.getByRole('button').filter({ hasText: 'Remove' }).count()).toBe(0);
    expect(await dialog.getByLabel('Role given here').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();

    const other = await openAs('looks', '/members', { scopes: ['search'] });
    await other.getByText('You need the permission members:read.').waitFor();
  });

  test('tells what each role permits', async () => {
    const page = await openAs('looks', '/overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('table').waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('roles');
    const current = page
      .getByRole('navigation', { name: 'Members and roles' })
      .locator('[aria-current=page]');
    expect(await current.allTextContents()).toEqual(['Roles']);
    const { members } = await callerFor('looks');
    const roles = await members.roles.query();
    const titles = await page.getByRole('columnheader').allInnerTexts();
    expect(titles).toEqual(['Permission', ...roles.map(({ role }) => role)]);
    const rows = await page
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
      .all();
    const shown = await Promise.all(
      rows.map(async (one) => {
        const [name, ...marks] = await one.getByRole('cell').all();
        const texts = await Promise.all(marks.map((mark) => mark.locator('.unseen').textContent()));
        return [await name?.locator('code').textContent(), texts];
      }),
    );
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        permissions.map((one) => [one, roles.map((role) => (role.permissions.includes(one) ? 'yes' : 'no'))]),
      ),
    );
  });

  describe('with many members', () => {
    beforeAll(async () => {
      const users = Array.from({ length: 21 }, (_, place) => ({
        sub: `user-${place}`,
        name: `User ${place}`,
      }));
      const long = {
        sub: 'a-user-id-that-has-no-space-and-does-not-end-soon@subsidiary.example',
        name: '陈伟',
      };
      await join('many', ...users, {
        ...long,
        email: 'a-mail-address-that-does-not-end-soon@subsidiary.example',
      });
      const { members } = await callerFor('many');
      const scope = { tenantId: 'many' };
      const [chen] = (await members.list.query({ scope, userId: long.sub })).items;
      await members.setRole.mutate({
        scope,
        memberId: chen?.id as string,
        role: 'reviewer',
        tenantUnitIds: ['sales', 'support-and-returns'],
        datasetIds: ['handbook', 'frequently-asked-questions'],
      });
    });

    test('pages and filters are in the address', async () => {
      const page = await openAs('many', '/members');
      await page.getByText('1 to 20 of 22').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('21 to 22 of 22').waitFor();
      await page.reload();
      await page.getByText('21 to 22 of 22').waitFor();
      await page.getByLabel('User id').fill('user-7');
      await page.getByLabel('User id').press('Enter');
      await page.getByText('1 to 1 of 1').waitFor();
      await row(page, 'User 7').waitFor();
      await page.getByLabel('Role', { exact: true }).selectOption('admin');
      await page.getByRole('heading', { name: 'No member fits the filters' }).waitFor();
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        tenant: 'many',
        user: 'user-7',
        role: 'admin',
      });
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByText('1 to 20 of 22').waitFor();
    });

    test.each([
      ['light', 'en', 'Change the role of 陈伟'],
      ['dark', 'zh', '更改角色：陈伟'],
    ] as const)('fits 400 px and 1280 px, %s, %s', async (colorScheme, language, change) => {
      for (const width of [400, 1280]) {
        const page = await openAs('many', '/members', { colorScheme, language });
        await page.setViewportSize({ width, height: 800 });
        await page.getByRole('link', { name: change }).waitFor();
        await expectNoOverflow(page);
        await screenshot(page, `members-${colorScheme}-${language}-${width}`);
        await expectAccessible(page);
        await page.getByRole('link', { name: change }).click();
        await page.getByRole('dialog').locator('select').waitFor();
        await screenshot(page, `members-role-${colorScheme}-${language}-${width}`);
        await expectAccessible(page);
        await page.goto('/members?view=roles');
        await page.getByRole('table').waitFor();
        await expectNoOverflow(page);
        await screenshot(page, `members-roles-${colorScheme}-${language}-${width}`);
        await expectAccessible(page);
      }
    });
  });
});
