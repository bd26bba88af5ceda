import type { JWTPayload } from 'jose';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { MAX_MEMBERS } from '../../src/auth/members/record-member.js';
import { type Permission, permissions } from '../../src/auth/permissions.js';

import { useApp } from '../support/app.js';
import { openStream, progressUrl } from '../support/sse-client.js';
import { waitFor } from '../support/wait-for.js';
import { CONVERSATIONS, TIME, UUID } from './support/rest-client.js';
import { startBeside } from './support/start-beside.js';

let now = new Date('2026-11-27T12:00:00Z');
const issuer = await startTokenIssuer();
const other = await startTokenIssuer();
const TENANTS = Array.from({ length: 20 }, (_, number) => `tenant-${number}`);
const authIssuers = [
  issuer.config({ tenants: TENANTS }),
  other.config({ tenants: TENANTS, newMembers: 'everybody', unitsClaim: 'units', datasetsClaim: 'datasets' }),
];
const app = useApp({ authMode: 'required', authIssuers }, { clock: () => now });
afterAll(() => Promise.all([issuer.close(), other.close()]));

let taken = 0;
/** A tenant for one test. */
const nextTenant = () => ({ tenantId: TENANTS[taken++] as string });
type Scope = ReturnType<typeof nextTenant>;

const READS = 'conversations:read documents:read chunks:read search';
const ALL = permissions.join(' ');
const bearer = async ({ tenantId }: Scope, claims: JWTPayload = {}, from = issuer) => {
  const token = await from.sign({
    sub: 'ann-1',
    name: 'Ann',
    email: 'ann@acme.test',
    tenant_id: tenantId,
    scope: READS,
    exp: Math.floor(now.getTime() / 1000) + 300,
    ...claims,
  });
  return { authorization: `Bearer ${token}` };
};
const keyOf = async (scope: Scope, scopes: Permission[] = [...permissions]) => ({
  'x-api-key': (await app.makeKey({ scope, scopes })).key,
});
const adminOf = async (scope: Scope) => app.trpc({ ...(await keyOf(scope)), 'x-user-id': 'root' });
const scopesOf = async (headers: Record<string, string>, address = app) =>
  (await address.trpc(headers).session.get.query()).user?.scopes;
/** Signs in once. */
async function join(scope: Scope, claims: JWTPayload = {}, from = issuer) {
  const { members } = await adminOf(scope);
  await app.trpc(await bearer(scope, claims, from)).session.get.query();
  const subject = claims.sub ?? 'ann-1';
  return waitFor(
    async () => (await members.list.query({ scope })).items.find((one) => one.subject === subject),
    { what: 'the member to be recorded' },
  );
}
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ data }) => [data.httpStatus, data.detail],
  );
const LAST_ADMIN =
  'This is the last admin of the tenant. Give another member the role admin, for all units, and try again.';

test('who has signed in once is a member', async () => {
  const scope = nextTenant();
  const { members } = await adminOf(scope);
  expect((await members.list.query({ scope })).items).toEqual([]);
  const { id } = await join(scope);
  const ann = {
    id,
    issuer: issuer.url,
    subject: 'ann-1',
    userId: 'ann-1',
    name: 'Ann',
    email: 'ann@acme.test',
    role: null,
    tenantUnitIds: null,
    datasetIds: null,
    createdTime: now.toISOString(),
    lastSeenTime: now.toISOString(),
    updatedTime: null,
    updatedBy: null,
  };
  expect(await members.list.query({ scope })).toEqual({
    items: [ann],
    page: 1,
    pageSize: 50,
    totalCount: 1,
    totalPages: 1,
    hasNextPage: false,
  });
  expect(await members.get.query({ scope, memberId: id })).toEqual(ann);
  expect(await failureOf(members.get.query({ scope, memberId: 'none' }))).toEqual([
    404,
    [{ type: 'not_found', loc: ['memberId'], msg: 'Member not found.' }],
  ]);
  expect((await members.list.query({ scope, role: 'viewer' })).items).toEqual([]);
  expect((await members.list.query({ scope, userId: 'ann-1' })).items).toEqual([ann]);
  expect((await members.list.query({ scope, userId: 'ann' })).items).toEqual([]);

  await join(scope, { sub: 'zoe', name: undefined });
  const idsBy = async (order: 'name' | 'lastSeenTime', direction: 'asc' | 'desc') =>
    (await members.list.query({ scope, order, direction })).items.map(({ userId }) => userId);
  expect(await idsBy('name', 'asc')).toEqual(['ann-1', 'zoe']);
  expect(await idsBy('name', 'desc')).toEqual(['zoe', 'ann-1']);

  now = new Date(now.getTime() + 3_600_000);
  await app.trpc(await bearer(scope, { name: 'Ann Lee', email: 7 })).session.get.query();
  const seen = { ...ann, name: 'Ann Lee', email: null, lastSeenTime: now.toISOString() };
  await expect.poll(() => members.get.query({ scope, memberId: id })).toEqual(seen);
});

test('tells what each role permits', async () => {
  const scope = nextTenant();
  const roles = await app.trpc(await bearer(scope)).members.roles.query();
  expect(roles).toEqual([
    { role: 'viewer', permissions: READS.split(' ') },
    {
      role: 'editor',
      permissions: [
        ...READS.split(' '),
        'conversations:write',
        'messages:write',
        'documents:write',
        'chunks:write',
      ],
    },
    { role: 'reviewer', permissions: [...READS.split(' '), 'conversations:write'] },
    { role: 'admin', permissions: [...permissions] },
    { role: 'operator', permissions: ['operations'] },
  ]);
});

test('a role is beside the claims from the next request on, until it is taken away', async () => {
  const scope = nextTenant();
  const { members, audit } = await adminOf(scope);
  const { id: memberId, ...joined } = await join(scope, { scope: 'search' });
  const headers = await bearer(scope, { scope: 'search' });
  const create = () => app.request('POST', CONVERSATIONS, { headers, body: {} });
  expect((await create()).status).toBe(403);

  const given = await members.setRole.mutate({ scope, memberId, role: 'reviewer' });
  const changed = { role: 'reviewer', updatedTime: now.toISOString(), updatedBy: 'root' };
  expect(given).toEqual({ ...joined, id: memberId, ...changed });
  const made = await create();
  expect([made.status, made.body.created_by]).toEqual([201, 'ann-1']);
  expect(await scopesOf(headers)).toEqual([
    'conversations:read',
    'conversations:write',
    'documents:read',
    'chunks:read',
    'search',
  ]);

  await members.setRole.mutate({ scope, memberId, role: null });
  expect((await create()).status).toBe(403);
  await members.setRole.mutate({ scope, memberId, role: 'editor' });
  expect((await create()).status).toBe(201);
  await members.remove.mutate({ scope, memberId });
  expect(await scopesOf(headers)).toEqual(['search']);
  expect((await join(scope, { scope: 'search' })).id).not.toBe(memberId);

  const { items } = await audit.list.query({ scope, subjectId: memberId });
  const person = { issuer: issuer.url, subject: 'ann-1', userId: 'ann-1', name: 'Ann' };
  expect(items.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    {
      action: 'members.remove',
      before: { ...person, role: 'editor', tenantUnitIds: null, datasetIds: null },
      after: null,
    },
    { action: 'members.setRole', before: { role: null }, after: { ...person, role: 'editor' } },
    { action: 'members.setRole', before: { role: 'reviewer' }, after: { ...person, role: null } },
    { action: 'members.setRole', before: { role: null }, after: { ...person, role: 'reviewer' } },
  ]);
  const [event] = (await audit.list.query({ scope, subjectId: made.body.id })).items;
  expect(event).toEqual({
    id: expect.any(Number),
    tenantId: scope.tenantId,
    tenantUnitId: 'default',
    time: TIME,
    action: 'conversations.create',
    subjectType: 'conversation',
    subjectId: made.body.id,
    keyId: null,
    userId: 'ann-1',
    userIssuer: issuer.url,
    userName: 'Ann',
    address: expect.stringMatching(/127\.0\.0\.1$/),
    requestId: UUID,
    before: null,
    after: expect.any(Object),
  });
});

test('every process knows of a changed role when the change is answered', async () => {
  const scope = nextTenant();
  const { members } = await adminOf(scope);
  const { id: memberId } = await join(scope);
  const beside = await startBeside(app, { authMode: 'required', authIssuers, role: 'api' });
  const headers = await bearer(scope, { exp: Math.floor(Date.now() / 1000) + 3_600 });
  const create = async () =>
    (await fetch(new URL(CONVERSATIONS, beside.address), { method: 'POST', headers })).status;
  expect(await create()).toBe(403);
  await members.setRole.mutate({ scope, memberId, role: 'editor' });
  expect(await create()).toBe(201);
  await members.setRole.mutate({ scope, memberId, role: 'viewer' });
  expect(await create()).toBe(403);
  await beside.app.close();
});

test('a stream ends when its user loses a role', async () => {
  const scope = nextTenant();
  const { members } = await adminOf(scope);
  const { id: memberId } = await join(scope, { scope: 'search' });
  await members.setRole.mutate({ scope, memberId, role: 'viewer' });
  const headers = await bearer(scope, { scope: 'search' });
  const stream = await openStream(progressUrl(app.address, scope, ['x']), headers);
  await stream.until('connected');
  await members.setRole.mutate({ scope, memberId, role: 'editor' });
  await members.setRole.mutate({ scope, memberId, role: null });
  await expect(stream.until('never')).rejects.toThrow('the stream ended');
});

describe('units and datasets', () => {
  test('of claims and of the role restrict both', async () => {
    const scope = nextTenant();
    const { members } = await adminOf(scope);
    const claims = { units: ['sales', 'support'], datasets: '*', scope: `${READS} keys:admin` };
    const { id: memberId } = await join(scope, claims, other);
    const headers = await bearer(scope, claims, other);
    const reach = async () => {
      const { user } = await app.trpc(headers).session.get.query();
      return [user?.scopes, user?.tenantUnitIds, user?.datasetIds];
    };
    expect(await reach()).toEqual([[...READS.split(' '), 'keys:admin'], ['sales', 'support'], null]);
    const places = { tenantUnitIds: ['support', 'lab'], datasetIds: ['faq'] };
    await members.setRole.mutate({ scope, memberId, role: 'reviewer', ...places });
    expect(await reach()).toEqual([
      ['conversations:read', 'conversations:write', 'documents:read', 'chunks:read', 'search'],
      ['support'],
      ['faq'],
    ]);
    await members.setRole.mutate({ scope, memberId, role: 'reviewer', tenantUnitIds: ['lab'] });
    expect((await app.request('GET', CONVERSATIONS, { headers })).status).toBe(401);
  });

  test.each([
    [
      { role: 'admin', datasetIds: ['faq'] },
      'datasetIds',
      'must be left out for this role: it concerns the whole tenant',
    ],
    [
      { role: 'operator', datasetIds: ['faq'] },
      'datasetIds',
      'must be left out for this role: it concerns the whole tenant',
    ],
    [{ role: null, tenantUnitIds: ['lab'] }, 'role', 'must be a role where units or datasets are given'],
  ] as const)('cannot be %o', async (fields, field, msg) => {
    const scope = { tenantId: 'tenant-0' };
    const { members } = await adminOf(scope);
    const call = members.setRole.mutate({ scope, memberId: 'x', ...fields } as never);
    expect(await failureOf(call)).toEqual([422, [{ type: 'value_error.custom', loc: [field], msg }]]);
  });
});

describe('the last admin', () => {
  test('cannot be removed, given another role, restricted or erased', async () => {
    const scope = nextTenant();
    const { members, users } = await adminOf(scope);
    const { id: memberId } = await join(scope);
    // Who is an admin by claims alone does not count.
    const { id: another } = await join(scope, { sub: 'bob-1', scope: ALL });
    const refused = (field: string) => [409, [{ type: 'conflict', loc: [field], msg: LAST_ADMIN }]];
    await members.setRole.mutate({ scope, memberId, role: 'admin' });
    await members.setRole.mutate({ scope, memberId: another, role: 'admin', tenantUnitIds: ['lab'] });
    const before = await members.list.query({ scope });
    const setRole = (fields: object) =>
      failureOf(members.setRole.mutate({ scope, memberId, ...fields } as never));
    expect(await setRole({ role: 'editor' })).toEqual(refused('role'));
    expect(await setRole({ role: null })).toEqual(refused('role'));
    expect(await setRole({ role: 'admin', tenantUnitIds: ['lab'] })).toEqual(refused('role'));
    expect(await failureOf(members.remove.mutate({ scope, memberId }))).toEqual(refused('memberId'));
    expect(await failureOf(users.erase.mutate({ scope, userId: 'ann-1' }))).toEqual(refused('userId'));
    expect(await members.list.query({ scope })).toEqual(before);

    await members.setRole.mutate({ scope, memberId: another, role: 'admin' });
    await members.remove.mutate({ scope, memberId });
    expect(await failureOf(members.remove.mutate({ scope, memberId: another }))).toEqual(refused('memberId'));
  });

  test('stays, whichever of two calls at once is first', async () => {
    const scope = nextTenant();
    const { members } = await adminOf(scope);
    const both = [await join(scope), await join(scope, { sub: 'bob-1' })].map(({ id }) => id);
    for (let round = 0; round < 5; round++) {
      for (const memberId of both) await members.setRole.mutate({ scope, memberId, role: 'admin' });
      const clients = [await adminOf(scope), await adminOf(scope)];
      const answers = await Promise.all(
        clients.map((client, which) =>
          failureOf(
            client.members.setRole.mutate({ scope, memberId: both[which] as string, role: 'viewer' }),
          ),
        ),
      );
      expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
      expect((await members.list.query({ scope, role: 'admin' })).totalCount).toBe(1);
    }
  });
});

describe('nobody gives more than they have', () => {
  test('whoever lacks a permission of the role', async () => {
    const scope = nextTenant();
    const { id: memberId } = await join(scope);
    const { members } = app.trpc(await keyOf(scope, ['members:write', 'operations']));
    expect(await failureOf(members.setRole.mutate({ scope, memberId, role: 'viewer' }))).toEqual([
      403,
      [
        {
          type: 'forbidden',
          loc: ['role'],
          msg: 'This API key may not give the role viewer: it lacks the scope conversations:read itself.',
        },
      ],
    ]);
    expect(await members.setRole.mutate({ scope, memberId, role: 'operator' })).toMatchObject({
      role: 'operator',
    });
    const own = app.trpc(await bearer(scope, { scope: 'members:write' }));
    expect(await failureOf(own.members.setRole.mutate({ scope, memberId, role: 'admin' }))).toEqual([
      403,
      [
        {
          type: 'forbidden',
          loc: ['role'],
          msg: 'This token may not give the role admin: it lacks the scope conversations:read itself.',
        },
      ],
    ]);
  });

  test('a key of some units', async () => {
    const scope = nextTenant();
    const { key } = await app.makeKey({ scope: { ...scope, tenantUnitId: 'lab' } });
    const { members } = app.trpc({ 'x-api-key': key });
    const detail = {
      type: 'forbidden',
      loc: ['scope', 'tenantUnitId'],
      msg: 'Members concern all units of the tenant; this API key is restricted to some.',
    };
    for (const call of [
      members.list.query({ scope }),
      members.get.query({ scope, memberId: 'x' }),
      members.setRole.mutate({ scope, memberId: 'x', role: null }),
      members.remove.mutate({ scope, memberId: 'x' }),
    ])
      expect(await failureOf(call)).toEqual([403, [detail]]);
  });
});

test('a role is for the tokens of one issuer, subject and tenant', async () => {
  const [scope, elsewhere] = [nextTenant(), nextTenant()];
  const { members } = await adminOf(scope);
  const { id: memberId } = await join(scope, { scope: 'search' });
  await members.setRole.mutate({ scope, memberId, role: 'admin' });
  const claims = { scope: 'search', role: 'admin', roles: ['admin'], units: '*', datasets: '*' };
  expect(await scopesOf(await bearer(scope, claims))).toEqual([...permissions]);
  for (const [place, more, from] of [
    [scope, {}, other],
    [scope, { iss_member: issuer.url, email: 'ann@acme.test' }, other],
    [scope, { sub: 'bob-1', name: 'Ann', email: 'ann@acme.test' }, issuer],
    [scope, { sub: 'ANN-1' }, issuer],
    [elsewhere, {}, issuer],
  ] as const)
    expect(await scopesOf(await bearer(place, { ...claims, ...more }, from))).toEqual(['search']);
  const both = await bearer(scope, { ...claims, tenant_id: [scope.tenantId, elsewhere.tenantId] });
  const named = (tenantId: string) => scopesOf({ ...both, 'x-tenant-id': tenantId });
  expect(await named(elsewhere.tenantId)).toEqual(['search']);
  expect(await named(scope.tenantId)).toEqual([...permissions]);
});

describe('who has no permission by claims', () => {
  test('is refused and no member, unless a member has a role', async () => {
    const scope = nextTenant();
    const { members } = await adminOf(scope);
    const headers = await bearer(scope, { scope: 'openid' });
    const read = async () => (await app.request('GET', CONVERSATIONS, { headers })).status;
    expect(await read()).toBe(401);
    expect((await members.list.query({ scope })).items).toEqual([]);
    const { id: memberId } = await join(scope);
    expect(await read()).toBe(401);
    await members.setRole.mutate({ scope, memberId, role: 'viewer' });
    expect(await read()).toBe(200);
    await members.remove.mutate({ scope, memberId });
    expect(await read()).toBe(401);
  });

  test('is a member where everybody is, and may then do nothing', async () => {
    const scope = nextTenant();
    const { members } = await adminOf(scope);
    const claims = { scope: 'openid', units: '*', datasets: '*' };
    const { id: memberId } = await join(scope, claims, other);
    const headers = await bearer(scope, claims, other);
    expect(await scopesOf(headers)).toEqual([]);
    expect((await app.request('GET', CONVERSATIONS, { headers })).body).toEqual({
      detail: [
        {
          type: 'forbidden',
          loc: [],
          msg: 'This token may not do this: it lacks the scope conversations:read.',
        },
      ],
    });
    await members.setRole.mutate({ scope, memberId, role: 'viewer' });
    expect((await app.request('GET', CONVERSATIONS, { headers })).status).toBe(200);
  });
});

test('where a tenant has the most members, who has no role and was not seen for longest makes way', async () => {
  const scope = nextTenant();
  await sql`
    insert into members (tenant_id, id, issuer, subject, user_id, role, created_time, last_seen_time)
    select ${scope.tenantId}, 'm' || n, 'https://id.test', 's' || n, 'u' || n,
      case when n <= ${MAX_MEMBERS - 2} then 'viewer' end, '2026-01-01', '2026-01-01'::timestamptz - n * interval '1 s'
    from generate_series(1, ${MAX_MEMBERS}::int) as n
  `.execute(app.db);
  const there = async (memberId: string) =>
    (await failureOf((await adminOf(scope)).members.get.query({ scope, memberId }))) === 'done';
  await join(scope);
  expect([await there(`m${MAX_MEMBERS}`), await there(`m${MAX_MEMBERS - 1}`)]).toEqual([false, true]);
  const { totalCount } = await (await adminOf(scope)).members.list.query({ scope });
  expect(totalCount).toBe(MAX_MEMBERS);
});

test('an erasure forgets the member, also in the audit log', async () => {
  const scope = nextTenant();
  const { members, users, audit } = await adminOf(scope);
  const { id: memberId } = await join(scope);
  await members.setRole.mutate({ scope, memberId, role: 'editor' });
  await app.request('POST', CONVERSATIONS, { headers: await bearer(scope), body: {} });
  const { id: erasureId, pseudonym } = await users.erase.mutate({ scope, userId: 'ann-1' });
  expect((await members.list.query({ scope })).items).toEqual([]);
  await expect
    .poll(async () => (await users.erasure.query({ scope, erasureId })).finishedTime, { timeout: 60_000 })
    .not.toBeNull();
  const { items } = await audit.list.query({ scope, subjectId: memberId });
  expect(items).toMatchObject([
    { action: 'members.setRole', after: { issuer: issuer.url, userId: pseudonym, role: 'editor' } },
  ]);
  expect(JSON.stringify(await audit.list.query({ scope }))).not.toMatch(/ann/i);
});
