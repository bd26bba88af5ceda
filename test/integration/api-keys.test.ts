import type { TRPCClientError } from '@trpc/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Permission, permissions } from '../../src/auth/permissions.js';
import type { AppRouter } from '../../src/routers/index.js';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { TENANT } from './support/rest-client.js';

const START = new Date('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let now = START;
const app = useApp({ authMode: 'required' }, { clock: () => now });
const open = useApp({}, { clock: () => now });
/** The same server once it requires keys. */
const beside = useApp({ authMode: 'required' }, { clock: () => now, beside: open });

let tenants = 0;
/** A tenant of the test's own. */
let tenantId: string;
beforeEach(() => {
  now = START;
  tenantId = `tenant-${++tenants}`;
});

const ID = expect.stringMatching(/^[0-9A-Za-z]{12}$/);
const KEY = expect.stringMatching(/^lectern_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
const as = (key: string) => app.trpc({ 'x-api-key': key }).apiKeys;
const later = (ms: number) => new Date(START.getTime() + ms);

/** The procedures, for the bearer of a key that may do everything in the test's tenant unless `fields` say less. */
async function asAdmin(fields: Partial<NewApiKey> = {}) {
  const admin = await app.makeKey({ scope: { tenantId }, ...fields });
  return { admin, apiKeys: as(admin.key) };
}

const statusOf = async (key: string) =>
  (await app.request('GET', '/admin/api/v2/conversations', { headers: { 'x-api-key': key } })).status;

const refusal = (error: TRPCClientError<AppRouter>) => [error.data?.code, error.data?.detail[0]?.loc];
const messageOf = (error: Error) => error.message;

describe('create', () => {
  test('returns the key once, with its restrictions', async () => {
    const { admin, apiKeys } = await asAdmin();
    const made = await apiKeys.create.mutate({
      scope: { tenantId, tenantUnitId: ['sales', 'sales', 'support'] },
      datasetIds: ['faq'],
      scopes: ['search', 'documents:read'],
      name: 'Website',
      expiresIn: '90d',
    });
    const binding = {
      id: ID,
      tenantId,
      tenantUnitIds: ['sales', 'support'],
      datasetIds: ['faq'],
      scopes: ['search', 'documents:read'],
      name: 'Website',
      status: 'active',
      createdTime: START.toISOString(),
      createdBy: admin.id,
      expiresTime: later(90 * DAY_MS).toISOString(),
      lastUsedTime: null,
      revokedTime: null,
      successorId: null,
      madeInOpenMode: false,
    };
    expect(made).toEqual({ ...binding, key: KEY });
    expect(made.key).toContain(`_${made.id}_`);
    expect(
      (await apiKeys.list.query({ scope: { tenantId } })).items.find(({ id }) => id === made.id),
    ).toEqual(binding);
  });

  test('takes a time, with whatever offset, and for ever as well', async () => {
    const { apiKeys } = await asAdmin();
    const fields = { scope: { tenantId }, scopes: ['search' as const], name: 'n' };
    const made = await apiKeys.create.mutate({ ...fields, expiresTime: '2026-12-01T00:00:00+01:00' });
    expect(made.expiresTime).toBe('2026-11-30T23:00:00.000Z');
    expect(await apiKeys.create.mutate(fields)).toMatchObject({
      expiresTime: null,
      tenantUnitIds: null,
      datasetIds: null,
    });
  });

  test.each<[string, object, unknown[]]>([
    ['without a name', { name: '' }, ['UNPROCESSABLE_CONTENT', ['name']]],
    ['with too long a name', { name: 'x'.repeat(256) }, ['UNPROCESSABLE_CONTENT', ['name']]],
    ['without scopes', { scopes: [] }, ['UNPROCESSABLE_CONTENT', ['scopes']]],
    ['with an unknown scope', { scopes: ['documents:eat'] }, ['UNPROCESSABLE_CONTENT', ['scopes', 0]]],
    [
      'that tends keys, of which only some datasets are its own',
      { scopes: ['keys:admin'], datasetIds: ['faq'] },
      ['UNPROCESSABLE_CONTENT', ['scopes']],
    ],
    ['for no dataset', { datasetIds: [] }, ['UNPROCESSABLE_CONTENT', ['datasetIds']]],
    [
      'for no unit',
      { scope: { tenantId: 'acme', tenantUnitId: [] } },
      ['UNPROCESSABLE_CONTENT', ['scope', 'tenantUnitId']],
    ],
    ['that expires in a while that is none', { expiresIn: 'soon' }, ['UNPROCESSABLE_CONTENT', ['expiresIn']]],
    ['that expires at once', { expiresIn: '0' }, ['UNPROCESSABLE_CONTENT', ['expiresIn']]],
    ['that has expired', { expiresTime: START.toISOString() }, ['UNPROCESSABLE_CONTENT', ['expiresTime']]],
    [
      'with a restriction under another name',
      { tenantUnitIds: ['sales'], secret: 'x' },
      ['UNPROCESSABLE_CONTENT', ['tenantUnitIds']],
    ],
    [
      'with a restriction of its scope under another name',
      { scope: { tenantId: 'acme', tenantUnitIds: ['sales'] } },
      ['UNPROCESSABLE_CONTENT', ['scope', 'tenantUnitIds']],
    ],
    [
      'that expires twice',
      { expiresIn: '1d', expiresTime: '2027-01-01T00:00:00Z' },
      ['UNPROCESSABLE_CONTENT', ['expiresTime']],
    ],
  ])('makes none %s', async (_, fields, refused) => {
    const input = { scope: TENANT, scopes: ['search'], name: 'n', ...fields } as Parameters<
      ReturnType<typeof open.trpc>['apiKeys']['create']['mutate']
    >[0];
    expect(await open.trpc().apiKeys.create.mutate(input).catch(refusal)).toEqual(refused);
  });

  test('ignores Idempotency-Key, since storing the response would store the secret', async () => {
    const { admin } = await asAdmin();
    const { apiKeys } = app.trpc({ 'x-api-key': admin.key, 'idempotency-key': 'one' });
    const input = { scope: { tenantId }, scopes: ['search' as const], name: 'n' };
    const [first, second] = [await apiKeys.create.mutate(input), await apiKeys.create.mutate(input)];
    expect(first.key).not.toBe(second.key);
    await apiKeys.rotate.mutate({ scope: { tenantId }, keyId: first.id });
    const kept = await app.db
      .selectFrom('idempotencyKeys')
      .select('key')
      .where('tenantId', '=', tenantId)
      .execute();
    expect(kept).toEqual([]);
  });
});

describe("a key grants at most its creator's permissions", () => {
  test.each<[string, Partial<NewApiKey>, object, unknown[]]>([
    ['a scope', { scopes: ['keys:admin', 'search'] }, { scopes: ['search', 'operations'] }, ['scopes', 1]],
    [
      'a unit',
      { scope: { tenantId: 'acme', tenantUnitId: 'sales' } },
      { scope: { tenantId: 'acme', tenantUnitId: ['sales', 'legal'] } },
      ['scope', 'tenantUnitId'],
    ],
    ['a dataset', { datasetIds: ['faq'] }, { datasetIds: ['faq', 'secrets'] }, ['datasetIds', 1]],
    ['a tenant', {}, { scope: { tenantId: 'globex' } }, ['scope', 'tenantId']],
  ])('%s', async (_, maker, wish, place) => {
    const { apiKeys } = await asAdmin({ scope: TENANT, ...maker });
    const input = { scope: TENANT, scopes: ['search' as const], name: 'n', ...wish };
    expect(await apiKeys.create.mutate(input).catch(refusal)).toEqual(['FORBIDDEN', place]);
  });

  test.each<[string, object, unknown]>([
    ['no end where none is wished', {}, later(HOUR_MS)],
    ['an earlier one', { expiresIn: '30m' }, later(HOUR_MS / 2)],
    ['the same', { expiresTime: later(HOUR_MS).toISOString() }, later(HOUR_MS)],
    ['a later one', { expiresIn: '61m' }, ['FORBIDDEN', ['expiresIn']]],
    ['a later time', { expiresTime: later(2 * HOUR_MS).toISOString() }, ['FORBIDDEN', ['expiresTime']]],
  ])('an end: %s', async (_, wish, expected) => {
    const { apiKeys } = await asAdmin({ expiresIn: HOUR_MS });
    const made = await apiKeys.create
      .mutate({ scope: { tenantId }, scopes: ['search'], name: 'n', ...wish })
      .then(({ expiresTime }) => new Date(expiresTime ?? Number.NaN), refusal);
    expect(made).toEqual(expected);
  });

  test("defaults to the creator's scope", async () => {
    const { apiKeys } = await asAdmin({
      scope: { tenantId, tenantUnitId: ['sales', 'legal'] },
      datasetIds: ['faq'],
    });
    const made = await apiKeys.create.mutate({ scope: { tenantId }, scopes: ['search'], name: 'n' });
    expect(made).toMatchObject({ tenantUnitIds: ['sales', 'legal'], datasetIds: ['faq'] });
  });

  test('also by rotation', async () => {
    const { apiKeys } = await asAdmin({ scopes: ['keys:admin', 'search'] });
    const mighty = await app.makeKey({ scope: { tenantId } });
    const input = { scope: { tenantId }, keyId: mighty.id };
    expect(await apiKeys.rotate.mutate(input).catch(refusal)).toEqual(['FORBIDDEN', ['keyId']]);
    expect(await apiKeys.revoke.mutate(input)).toMatchObject({ status: 'revoked' });
  });

  test.each(permissions.filter((permission) => permission !== 'keys:admin'))(
    'and %s is not enough to tend keys',
    async (permission: Permission) => {
      const { apiKeys } = await asAdmin({ scopes: [permission] });
      const [scope, keyId] = [{ tenantId }, 'x'];
      const refused = await Promise.all([
        apiKeys.list.query({ scope }).catch(refusal),
        apiKeys.create.mutate({ scope, scopes: ['search'], name: 'n' }).catch(refusal),
        apiKeys.rotate.mutate({ scope, keyId }).catch(refusal),
        apiKeys.revoke.mutate({ scope, keyId }).catch(refusal),
      ]);
      expect(refused).toEqual(Array(4).fill(['FORBIDDEN', []]));
    },
  );
});

describe('keys restricted to units or datasets', () => {
  test.each<[string, Partial<NewApiKey>, Partial<NewApiKey>[], Partial<NewApiKey>[]]>([
    [
      'units',
      { scope: { tenantId: '', tenantUnitId: ['sales', 'legal'] } },
      [
        { scope: { tenantId: '', tenantUnitId: 'legal' } },
        { scope: { tenantId: '', tenantUnitId: ['legal', 'sales'] } },
      ],
      [{ scope: { tenantId: '', tenantUnitId: ['sales', 'support'] } }, { scope: { tenantId: '' } }],
    ],
    [
      'datasets',
      { datasetIds: ['faq', 'manuals'] },
      [{ datasetIds: ['faq'] }],
      [{ datasetIds: ['faq', 'secrets'] }, {}],
    ],
  ])('%s sees and tends keys within them alone', async (_, bound, within, beyond) => {
    const make = (fields: Partial<NewApiKey>) =>
      app.makeKey({ ...fields, scope: { ...fields.scope, tenantId } });
    const { admin, apiKeys } = await asAdmin({ ...bound, scope: { ...bound.scope, tenantId } });
    const seen = await Promise.all(within.map(make));
    const unseen = await Promise.all(beyond.map(make));
    const scope = { tenantId };

    const { items, totalCount } = await apiKeys.list.query({ scope });
    expect(items.map(({ id }) => id).sort()).toEqual([admin, ...seen].map(({ id }) => id).sort());
    expect(totalCount).toBe(items.length);
    for (const { id: keyId, key } of unseen) {
      const refused = [
        await apiKeys.rotate.mutate({ scope, keyId }).catch(messageOf),
        await apiKeys.revoke.mutate({ scope, keyId }).catch(messageOf),
        await apiKeys.revoke.mutate({ scope, keyId: 'nobody' }).catch(messageOf),
      ];
      expect(refused).toEqual(Array(3).fill('API key not found.'));
      expect(await statusOf(key)).toBe(200);
    }
    for (const { id: keyId, key } of seen) {
      await apiKeys.revoke.mutate({ scope, keyId });
      expect(await statusOf(key)).toBe(401);
    }
  });
});

test('keys that name a dataset are listed', async () => {
  const { apiKeys } = await asAdmin();
  const fields = { scope: { tenantId }, scopes: ['search' as const] };
  await apiKeys.create.mutate({ ...fields, name: 'Both', datasetIds: ['named', 'other'] });
  await apiKeys.create.mutate({ ...fields, name: 'Other', datasetIds: ['other'] });
  await apiKeys.create.mutate({ ...fields, name: 'All' });
  const { items, totalCount } = await apiKeys.list.query({ scope: { tenantId }, datasetId: 'named' });
  expect([items.map(({ name }) => name), totalCount]).toEqual([['Both'], 1]);
});

test('the list has pages, newest first, and never a hash', async () => {
  const { admin, apiKeys } = await asAdmin({ name: 'first' });
  for (const name of ['second', 'third']) {
    now = new Date(now.getTime() + 1_000);
    await apiKeys.create.mutate({ scope: { tenantId }, scopes: ['search'], name });
  }
  const pages = await Promise.all(
    [1, 2].map((page) => apiKeys.list.query({ scope: { tenantId }, page, pageSize: 2 })),
  );
  expect(pages.map(({ items }) => items.map(({ name }) => name))).toEqual([['third', 'second'], ['first']]);
  expect(pages[0]).toMatchObject({ totalCount: 3, totalPages: 2, hasNextPage: true });
  const { key: _, ...told } = admin;
  const namesBy = async (order: 'name' | 'expiresTime' | 'lastUsedTime', direction: 'asc' | 'desc') => {
    const { items } = await apiKeys.list.query({ scope: { tenantId }, order, direction });
    return items.map(({ name }) => name);
  };
  expect(await namesBy('name', 'desc')).toEqual(['third', 'second', 'first']);
  await apiKeys.create.mutate({ scope: { tenantId }, scopes: ['search'], name: 'Brief', expiresIn: '1h' });
  expect(await namesBy('name', 'asc')).toEqual(['Brief', 'first', 'second', 'third']);
  expect((await namesBy('expiresTime', 'asc'))[0]).toBe('Brief');
  expect((await namesBy('lastUsedTime', 'desc'))[0]).toBe('first');
  expect(Object.keys(pages[1]?.items[0] ?? {}).sort()).toEqual(Object.keys(told).sort());
  expect(await apiKeys.list.query({ scope: { tenantId }, pageSize: 101 }).catch(refusal)).toEqual([
    'UNPROCESSABLE_CONTENT',
    ['pageSize'],
  ]);
});

describe('rotate', () => {
  const fields = { datasetIds: ['faq'], scopes: ['conversations:read' as const], name: 'Website' };

  test('returns a key with the same scope; both are valid until the overlap ends', async () => {
    const { admin, apiKeys } = await asAdmin();
    const former = await apiKeys.create.mutate({
      ...fields,
      scope: { tenantId, tenantUnitId: 'sales' },
      expiresIn: '90d',
    });
    now = later(80 * DAY_MS);
    const successor = await apiKeys.rotate.mutate({ scope: { tenantId }, keyId: former.id, overlap: '2h' });
    const { key: formerKey, ...formerFields } = former;
    expect(successor).toEqual({
      ...former,
      id: ID,
      key: KEY,
      createdTime: now.toISOString(),
      createdBy: admin.id,
      expiresTime: later(170 * DAY_MS).toISOString(),
      former: {
        ...formerFields,
        expiresTime: later(80 * DAY_MS + 2 * HOUR_MS).toISOString(),
        successorId: successor.id,
      },
    });
    expect(successor.key).not.toBe(formerKey);
    expect([await statusOf(formerKey), await statusOf(successor.key)]).toEqual([200, 200]);
    now = new Date(now.getTime() + 2 * HOUR_MS - 1);
    expect(await statusOf(formerKey)).toBe(200);
    now = new Date(now.getTime() + 1);
    expect([await statusOf(formerKey), await statusOf(successor.key)]).toEqual([401, 200]);
  });

  test('has an overlap of one day by default; 0 expires the old key at once', async () => {
    const { apiKeys } = await asAdmin();
    const scope = { tenantId };
    const first = await apiKeys.create.mutate({ ...fields, scope });
    const second = await apiKeys.rotate.mutate({ scope, keyId: first.id });
    expect(second).toMatchObject({ expiresTime: null, former: { expiresTime: later(DAY_MS).toISOString() } });
    const third = await apiKeys.rotate.mutate({ scope, keyId: second.id, overlap: '0' });
    expect(third.former).toMatchObject({ status: 'expired', successorId: third.id });
    expect(await Promise.all([first, second, third].map(({ key }) => statusOf(key)))).toEqual([
      200, 401, 200,
    ]);
  });

  test('never extends the old key', async () => {
    const { apiKeys } = await asAdmin();
    const scope = { tenantId };
    const { id: keyId, expiresTime } = await apiKeys.create.mutate({ ...fields, scope, expiresIn: '1h' });
    const { former } = await apiKeys.rotate.mutate({ scope, keyId, overlap: '7d' });
    expect(former.expiresTime).toBe(expiresTime);
  });

  test.each<[string, number | undefined, number | undefined, string | null]>([
    ['that ends as its maker does, where it had no end', HOUR_MS, undefined, later(HOUR_MS).toISOString()],
    ['that ends as its maker does, where it would end later', HOUR_MS, DAY_MS, later(HOUR_MS).toISOString()],
    ['that ends before its maker', DAY_MS, HOUR_MS, later(HOUR_MS).toISOString()],
    ['without an end, from a maker that has none', undefined, undefined, null],
  ])('gives a key %s', async (_, makersLife, life, expected) => {
    const ending = (expiresIn: number | undefined) => (expiresIn === undefined ? {} : { expiresIn });
    const { apiKeys } = await asAdmin(ending(makersLife));
    const { id: keyId } = await app.makeKey({ scope: { tenantId }, ...ending(life) });
    expect(await apiKeys.rotate.mutate({ scope: { tenantId }, keyId })).toMatchObject({
      expiresTime: expected,
    });
  });

  test('that a key asks for itself gives it no longer life', async () => {
    const { admin, apiKeys } = await asAdmin({ expiresIn: DAY_MS });
    now = later(HOUR_MS);
    const successor = await apiKeys.rotate.mutate({ scope: { tenantId }, keyId: admin.id, overlap: '1h' });
    expect(successor.expiresTime).toBe(later(DAY_MS).toISOString());
    const next = await as(successor.key).rotate.mutate({ scope: { tenantId }, keyId: successor.id });
    expect(next.expiresTime).toBe(later(DAY_MS).toISOString());
  });

  test('is refused for a key that has a successor, is revoked or has expired', async () => {
    const { apiKeys } = await asAdmin();
    const scope = { tenantId };
    const make = async () => (await apiKeys.create.mutate({ ...fields, scope, expiresIn: '1h' })).id;
    const [rotated, revoked, expired] = [await make(), await make(), await make()];
    const { id } = await apiKeys.rotate.mutate({ scope, keyId: rotated });
    await apiKeys.revoke.mutate({ scope, keyId: revoked });
    const rotate = (keyId: string) =>
      apiKeys.rotate
        .mutate({ scope, keyId })
        .catch((error) => [error.data.code, error.data.detail[0].loc, error.message]);
    const answers = [await rotate(rotated), await rotate(revoked)];
    now = later(HOUR_MS);
    expect([...answers, await rotate(expired)]).toEqual([
      ['CONFLICT', ['keyId'], `This API key was rotated already: ${id} takes its place.`],
      ['CONFLICT', ['keyId'], 'This API key is revoked; create another one.'],
      ['CONFLICT', ['keyId'], 'This API key has expired; create another one.'],
    ]);
  });

  test('concurrent rotations create one successor', async () => {
    const { apiKeys } = await asAdmin();
    const scope = { tenantId };
    const { id: keyId } = await apiKeys.create.mutate({ ...fields, scope });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => apiKeys.rotate.mutate({ scope, keyId }).catch(() => undefined)),
    );
    expect(answers.filter((answer) => answer)).toHaveLength(1);
  });
});

test('revocation is immediate and idempotent', async () => {
  const { apiKeys } = await asAdmin();
  const scope = { tenantId };
  const made = await apiKeys.create.mutate({ scope, scopes: ['conversations:read'], name: 'n' });
  expect(await statusOf(made.key)).toBe(200);
  const revoked = await apiKeys.revoke.mutate({ scope, keyId: made.id });
  expect(revoked).toMatchObject({ id: made.id, status: 'revoked', revokedTime: START.toISOString() });
  expect(await statusOf(made.key)).toBe(401);
  now = later(HOUR_MS);
  expect(await apiKeys.revoke.mutate({ scope, keyId: made.id })).toEqual(revoked);
});

test('changes of keys are audited without secrets', async () => {
  const { admin, apiKeys } = await asAdmin();
  const scope = { tenantId };
  const made = await apiKeys.create.mutate({
    scope: { tenantId, tenantUnitId: 'sales' },
    scopes: ['search'],
    name: 'Website',
  });
  const rotated = await apiKeys.rotate.mutate({ scope, keyId: made.id });
  await apiKeys.revoke.mutate({ scope, keyId: made.id });
  const events = await app.db
    .selectFrom('auditEvents')
    .select(['action', 'subjectId', 'tenantUnitId', 'keyId', 'before', 'after'])
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .execute();
  const binding = { name: 'Website', scopes: ['search'], tenantUnitIds: ['sales'], datasetIds: null };
  expect(events.slice(1)).toEqual(
    [
      { action: 'apiKeys.create', before: null, after: { ...binding, expiresTime: null } },
      {
        action: 'apiKeys.rotate',
        before: { expiresTime: null },
        after: { expiresTime: rotated.former.expiresTime, successorId: rotated.id },
      },
      { action: 'apiKeys.revoke', before: null, after: { revokedTime: START.toISOString() } },
    ].map((event) => ({ ...event, subjectId: made.id, tenantUnitId: 'sales', keyId: admin.id })),
  );
  for (const { key } of [made, rotated]) expect(JSON.stringify(events)).not.toContain(key.slice(21, 64));
});

test('in open mode any key can be created', async () => {
  const { apiKeys } = open.trpc();
  const made = await apiKeys.create.mutate({
    scope: { tenantId },
    scopes: [...permissions],
    name: 'first',
  });
  expect(made).toMatchObject({ createdBy: null, scopes: [...permissions] });
});

describe('keys that anybody could make', () => {
  test('say so, and so do those that are made with them', async () => {
    const { apiKeys } = open.trpc();
    const scope = { tenantId };
    const scopes: Permission[] = ['keys:admin', 'search'];
    const made = await apiKeys.create.mutate({ scope, name: 'Anybody', scopes });
    expect(made).toMatchObject({ createdBy: null, madeInOpenMode: true });
    const rotated = await apiKeys.rotate.mutate({ scope, keyId: made.id });
    expect(rotated).toMatchObject({ madeInOpenMode: true, former: { madeInOpenMode: true } });
    const operator = await open.makeKey({ scope });
    const rotatedByOperator = await open.app.services.apiKeys.rotate(
      { scope, keyId: rotated.id, overlap: 0 },
      { userId: undefined, address: 'command line' },
    );
    expect([operator.madeInOpenMode, rotatedByOperator.madeInOpenMode]).toEqual([false, false]);

    const locked = beside.trpc({ 'x-api-key': made.key }).apiKeys;
    const child = await locked.create.mutate({ scope, name: 'Child', scopes: ['search'] });
    const next = await locked.rotate.mutate({ scope, keyId: child.id });
    expect([child.madeInOpenMode, next.madeInOpenMode]).toEqual([true, true]);
    const byOperator = beside.trpc({ 'x-api-key': operator.key }).apiKeys;
    const clean = await byOperator.rotate.mutate({ scope, keyId: next.id });
    expect([clean.madeInOpenMode, clean.former.madeInOpenMode]).toEqual([false, true]);

    const { items } = await apiKeys.list.query({ scope });
    expect(
      items
        .filter((key) => key.madeInOpenMode)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([made.id, rotated.id, child.id, next.id].sort());
    const events = await open.trpc().audit.list.query({ scope });
    const marked = events.items.filter(({ after }) => after?.madeInOpenMode === true);
    expect(marked.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['apiKeys.rotate', child.id],
      ['apiKeys.create', child.id],
      ['apiKeys.rotate', made.id],
      ['apiKeys.create', made.id],
    ]);
  });
});
