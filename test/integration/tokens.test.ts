import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import type { JWTPayload } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { permissions } from '../../src/auth/permissions.js';
import type { AppRouter } from '../../src/routers/index.js';
import { useApp } from '../support/app.js';
import { connectMcp, overHttp } from '../support/mcp-client.js';
import { openStream, progressUrl } from '../support/sse-client.js';
import { CONVERSATIONS, DOCUMENTS } from './support/rest-client.js';

let now = new Date('2026-11-27T12:00:00Z');
const issuer = await startTokenIssuer();
const other = await startTokenIssuer();
const app = useApp(
  {
    authMode: 'required',
    streamLimits: { perKey: 1, perTenant: 10, total: 10 },
    authIssuers: [
      issuer.config({
        tenants: ['acme', 'umbrella'],
        roles: { editor: ['documents:read', 'documents:write'] },
      }),
      other.config({
        tenant: 'globex',
        tenants: ['globex'],
        unitsClaim: 'units',
        datasetsClaim: 'https://claims.example/datasets',
        permissionsClaim: 'permissions',
        rolesClaim: 'realm_access.roles',
        roles: { staff: ['search'] },
        userIdClaim: 'email',
      }),
    ],
  },
  { clock: () => now },
);
afterAll(() => Promise.all([issuer.close(), other.close()]));

const seconds = () => Math.floor(now.getTime() / 1000);
const sign = (claims: JWTPayload = {}, from = issuer) =>
  from.sign({
    sub: 'ann-1',
    name: 'Ann',
    tenant_id: 'acme',
    scope: `openid ${permissions.join(' ')}`,
    iat: seconds(),
    exp: seconds() + 300,
    ...claims,
  });
const bearer = async (claims?: JWTPayload, from?: typeof issuer) => ({
  authorization: `Bearer ${await sign(claims, from)}`,
});
const create = (headers: Record<string, string>, body: object = {}, query = {}) =>
  app.request('POST', CONVERSATIONS, { headers, body, query });

test('a token authenticates REST, also in X-Api-Key, and its user is the author', async () => {
  const token = await sign();
  const made = await create({ authorization: `Bearer ${token}`, 'x-user-id': 'eve' });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({
      tenant_id: 'acme',
      user_id: 'ann-1',
      created_by: 'ann-1',
      updated_by: 'ann-1',
    }),
  ]);
  const { status, body } = await app.request('GET', `${CONVERSATIONS}/${made.body.id}`, {
    headers: { 'x-api-key': token },
  });
  expect([status, body.id]).toEqual([200, made.body.id]);
  const [event] = await app.db
    .selectFrom('auditEvents')
    .select(['action', 'keyId', 'userId'])
    .where('tenantId', '=', 'acme')
    .where('subjectId', '=', made.body.id)
    .execute();
  expect(event).toEqual({ action: 'conversations.create', keyId: null, userId: 'ann-1' });
});

test('tRPC tells who asks', async () => {
  const exp = seconds() + 300;
  const { server, ...info } = await app.trpc(await bearer({ exp })).session.get.query();
  expect(info).toEqual({
    mode: 'required',
    key: null,
    user: {
      id: 'ann-1',
      name: 'Ann',
      email: null,
      issuer: issuer.url,
      role: null,
      tenantId: 'acme',
      scopes: [...permissions],
      tenantUnitIds: null,
      datasetIds: null,
      expiresTime: new Date(exp * 1000).toISOString(),
    },
    expiresTime: null,
  });
});

test('a token makes no session', async () => {
  const error = await app
    .trpc(await bearer())
    .session.create.mutate()
    .catch((failure) => failure);
  expect(error.data.detail).toEqual([
    { type: 'conflict', loc: [], msg: 'A session stands for an API key; send the token itself.' },
  ]);
});

test('units, datasets, permissions, roles and the user are where the issuer says', async () => {
  const claims = {
    units: ['sales', 'support'],
    'https://claims.example/datasets': 'faq',
    permissions: ['documents:read', 'keys:admin', 'unheard:of'],
    realm_access: { roles: ['staff', 'toString', '__proto__'] },
    email: 'ann@globex.example',
  };
  const { user } = await app.trpc(await bearer(claims, other)).session.get.query();
  expect(user).toMatchObject({
    id: 'ann@globex.example',
    tenantId: 'globex',
    // A token for some datasets has no permission for the whole tenant.
    scopes: ['documents:read', 'search'],
    tenantUnitIds: ['sales', 'support'],
    datasetIds: ['faq'],
  });
  const all = { ...claims, units: ['*'], 'https://claims.example/datasets': ['*'] };
  expect((await app.trpc(await bearer(all, other)).session.get.query()).user).toMatchObject({
    scopes: ['documents:read', 'search', 'keys:admin'],
    tenantUnitIds: null,
    datasetIds: null,
  });
});

test('roles grant permissions, and others are lacking', async () => {
  const headers = await bearer({ scope: 'openid', roles: 'editor' });
  expect((await app.request('GET', DOCUMENTS, { headers, query: { tenantId: 'acme' } })).status).toBe(200);
  const refused = await app.request('GET', CONVERSATIONS, { headers });
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      detail: [
        {
          type: 'forbidden',
          loc: [],
          msg: 'This token may not do this: it lacks the scope conversations:read.',
        },
      ],
    },
  ]);
});

test('another tenant is refused, in the query, the header and the body', async () => {
  const headers = await bearer();
  const detail = (loc: string[]) => ({
    detail: [{ type: 'forbidden', loc, msg: 'This token belongs to another tenant.' }],
  });
  const query = await app.request('GET', DOCUMENTS, { headers, query: { tenantId: 'umbrella' } });
  expect([query.status, query.body]).toEqual([403, detail(['query', 'tenantId'])]);
  const header = await app.request('GET', CONVERSATIONS, {
    headers: { ...headers, 'x-tenant-id': 'umbrella' },
  });
  expect([header.status, header.body]).toEqual([403, detail(['header', 'X-Tenant-Id'])]);
  const body = await app.request('POST', DOCUMENTS, {
    headers,
    query: { tenantId: 'umbrella' },
    body: { tenantId: 'umbrella', tenantUnitId: 'sales', documentType: 'UnstructuredFile' },
  });
  expect([body.status, body.body]).toEqual([403, detail(['body', 'tenantId'])]);
});

test('a token of several tenants names one of them', async () => {
  const headers = await bearer({ tenant_id: ['acme', 'umbrella'] });
  const unnamed = await app.request('GET', CONVERSATIONS, { headers });
  expect([unnamed.status, unnamed.body]).toEqual([
    422,
    {
      detail: [
        {
          type: 'missing',
          loc: ['header', 'X-Tenant-Id'],
          msg: 'This token is for several tenants; name one of them.',
        },
      ],
    },
  ]);
  const named = { ...headers, 'x-tenant-id': 'umbrella' };
  const made = await create(named, { title: 'theirs' });
  expect([made.status, made.body.tenant_id]).toEqual([201, 'umbrella']);
  const listOf = async (tenantId: string) =>
    (await app.request('GET', CONVERSATIONS, { headers, query: { tenantId } })).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await listOf('umbrella')).toEqual([made.body.id]);
  expect(await listOf('acme')).not.toContain(made.body.id);
  expect((await app.trpc(named).conversations.list.query({})).items.map(({ id }) => id)).toEqual([
    made.body.id,
  ]);
  const foreign = await app.request('GET', CONVERSATIONS, {
    headers: { ...headers, 'x-tenant-id': 'globex' },
  });
  expect(foreign.status).toBe(403);
});

test('MCP has the tools of the token', async () => {
  const client = await connectMcp(overHttp(app.address, await sign({ scope: 'conversations:read' })));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('list_conversations');
  expect(tools.map(({ name }) => name)).not.toContain('search_documents');
  await client.close();
});

test('a stream is opened with a token', async () => {
  const headers = await bearer();
  const client = createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({
        url: `${app.address}/trpc`,
        EventSource,
        eventSourceOptions: {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
        },
      }),
    ],
  });
  await new Promise<void>((resolve, reject) => {
    const stream = client.documents.progress.subscribe(
      { scope: { tenantId: 'acme' }, documentIds: ['x'] },
      {
        onStarted: () => {
          stream.unsubscribe();
          resolve();
        },
        onError: reject,
      },
    );
  });
});

/** A stream that does not end by itself. */
async function followUrl(): Promise<string> {
  const { body } = await create(await bearer());
  const input = { scope: { tenantId: 'acme' }, conversationId: body.id };
  return `${app.address}/trpc/messages.follow?input=${encodeURIComponent(JSON.stringify(input))}`;
}

test('streams are limited for each user', async () => {
  const url = await followUrl();
  const open = async (claims: JWTPayload) => openStream(url, await bearer(claims));
  const first = await open({ sub: 'erin' });
  const second = await open({ sub: 'erin', exp: seconds() + 200 });
  expect([second.status, (await second.json()).error.data.detail]).toEqual([
    429,
    [
      {
        type: 'too_many_requests',
        loc: [],
        msg: 'Too many streams are open of this user: at most 1 at a time. Close one, or try again in 5 seconds.',
      },
    ],
  ]);
  const another = await open({ sub: 'frank' });
  expect([first.status, another.status]).toEqual([200, 200]);
  for (const stream of [first, second, another]) stream.close();
});

test('a stream ends when its token expires', async () => {
  const headers = await bearer({ exp: seconds() + 60 });
  const stream = await openStream(await followUrl(), headers);
  expect(stream.status).toBe(200);
  await stream.until('connected');
  now = new Date(now.getTime() + 91_000);
  await expect(stream.until('never')).rejects.toThrow();
  const again = await openStream(progressUrl(app.address, { tenantId: 'acme' }, ['x']), headers);
  expect(again.status).toBe(401);
  again.close();
});

test('an idempotent result belongs to the issuer and the user', async () => {
  const key = { 'idempotency-key': 'once' };
  const ann = await create({ ...(await bearer()), ...key });
  const renewed = await create({ ...(await bearer({ exp: seconds() + 299 })), ...key });
  expect([renewed.body.id, renewed.headers.get('idempotency-replayed')]).toEqual([ann.body.id, 'true']);
  const bob = await create({ ...(await bearer({ sub: 'bob-1' })), ...key });
  expect([bob.status, bob.body.id === ann.body.id]).toEqual([201, false]);
});

test('the erasure of a user erases the idempotent results of its tokens', async () => {
  const stored = async () =>
    (
      await app.db
        .selectFrom('idempotencyKeys')
        .select('caller')
        .where('tenantId', '=', 'acme')
        .where('key', '=', 'to-erase')
        .execute()
    ).map(({ caller }) => caller.replace(/^user:[\w-]{43}/, 'user:HASH'));
  await create({ ...(await bearer({ sub: 'grace' })), 'idempotency-key': 'to-erase' });
  expect(await stored()).toEqual(['user:HASH grace']);
  await app.trpc(await bearer()).users.erase.mutate({ scope: { tenantId: 'acme' }, userId: 'grace' });
  await expect.poll(stored, { timeout: 30_000 }).toEqual([]);
});

test('rate limits count each user', async () => {
  const left = async (claims: JWTPayload) => {
    const { headers } = await app.request('GET', CONVERSATIONS, { headers: await bearer(claims) });
    return Number(/"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  };
  const [first, second, another] = [
    await left({ sub: 'carol' }),
    await left({ sub: 'carol', exp: seconds() + 200 }),
    await left({ sub: 'dave' }),
  ];
  expect([second, another]).toEqual([first - 1, first]);
});

test('a key that a token makes ends with it, and names its user', async () => {
  const exp = seconds() + 300;
  const { apiKeys } = app.trpc(await bearer({ exp }));
  const made = await apiKeys.create.mutate({ scope: { tenantId: 'acme' }, scopes: ['search'], name: 'made' });
  expect([made.createdBy, made.expiresTime, made.madeInOpenMode]).toEqual([
    'ann-1',
    new Date(exp * 1000).toISOString(),
    false,
  ]);
});

test('an uploaded file belongs to the tenant', async () => {
  const upload = await app.trpc(await bearer()).files.upload.mutate(new Blob(['text']));
  expect(upload).toMatchObject({ sizeBytes: 4 });
  const owners = await app.db
    .selectFrom('uploads')
    .select('tenantId')
    .where('id', '=', upload.fileId)
    .execute();
  expect(owners).toEqual([{ tenantId: 'acme' }]);
});

test('keys are as before beside tokens', async () => {
  const { key } = await app.makeKey();
  const headers = { 'x-api-key': key };
  expect((await app.request('GET', CONVERSATIONS, { headers })).status).toBe(200);
  const both = await app.request('GET', CONVERSATIONS, { headers: { ...headers, ...(await bearer()) } });
  expect(both.status).toBe(401);
});
