import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTokenIssuer } from '../../bench/support/token-issuer.js';
import { formatApiKey, generateApiKey, parseApiKey } from '../../src/auth/api-key-format.js';
import { type Permission, permissions } from '../../src/auth/permissions.js';
import { endpoints as documented } from '../contract/endpoints.js';
import { useApp } from '../support/app.js';
import { createFixtures, dump, type Fixtures, STORED } from './matrix/fixtures.js';
import {
  anonymise,
  downloads,
  endpoints,
  integrations,
  type Operation,
  procedures,
  type RawAnswer,
  send,
  tools,
} from './matrix/operations.js';
import { OWN_UNIT, type RequestFor, type Target, WITHOUT_TENANT } from './matrix/requests.js';
import { signIn } from './support/sign-in.js';

/*
 * Every operation, called with every kind of key or token that must not do. Operations and their permissions are read from
 * the routers, so a new one is tried as soon as it is there, and fails the suite while it has no row.
 */

const issuer = await startTokenIssuer();
const REACH = { tenants: ['*'], unitsClaim: 'units', datasetsClaim: 'datasets' };
const app = useApp({ authMode: 'required', authIssuers: [issuer.config(REACH)] });
afterAll(() => issuer.close());
/** A token that reaches everything of its tenant, unless it says less. */
const signToken = (claims: object) =>
  issuer.sign({
    sub: 'ann',
    units: '*',
    datasets: '*',
    scope: permissions.join(' '),
    exp: Math.floor(Date.now() / 1000) + 3_600,
    ...claims,
  });
let world: Fixtures;
/** The rows of this world's tenant, as they were before anybody had a key. */
let initial: Record<string, unknown>;
let keys: Record<string, string>;
/** For each permission a key that has all the others. */
let lacking: Record<Permission, string>;
/** The cookie of a session of a key that may do everything. */
let session: string;

beforeAll(async () => {
  world = await createFixtures(app.db);
  initial = await dump(app.db, world.own.tenant);
  const scope = { tenantId: world.own.tenant };
  const make = async (fields: object = {}) => (await app.makeKey({ scope, ...fields })).key;
  const full = await make();
  const [expired, revoked] = [await make(), await make()];
  session = (await signIn(app, full)).cookie;
  const { id } = parseApiKey(full)!;
  const limited = permissions.filter((one) => one !== 'keys:admin' && one !== 'operations');
  keys = {
    full,
    malformed: 'lectern_nonsense',
    mistyped: full.slice(0, -1) + (full.endsWith('0') ? '1' : '0'),
    unknown: formatApiKey(generateApiKey()),
    'wrong secret': formatApiKey({ id, secret: generateApiKey().secret }),
    expired,
    revoked,
    'other tenant': await make({ scope: { tenantId: world.neighbour.tenant } }),
    'other unit': await make({ scope: { ...scope, tenantUnitId: 'unit-two' } }),
    'other dataset': await make({ datasetIds: ['other'], scopes: limited }),
    'an expired token': await signToken({ tenant_id: world.own.tenant, exp: 1 }),
    'a token for others': await signToken({ tenant_id: world.own.tenant, aud: 'others' }),
    'other tenant token': await signToken({ tenant_id: world.neighbour.tenant }),
    'other unit token': await signToken({ tenant_id: world.own.tenant, units: ['unit-two'] }),
    'other dataset token': await signToken({ tenant_id: world.own.tenant, datasets: ['other'] }),
  };
  lacking = Object.fromEntries(
    await Promise.all(
      permissions.map(async (lacked) => [
        lacked,
        await make({ scopes: permissions.filter((one) => one !== lacked) }),
      ]),
    ),
  );
  const ofTenant = (key: string) => (eb: any) =>
    eb.and([eb('tenantId', '=', world.own.tenant), eb('id', '=', parseApiKey(key)!.id)]);
  const past = new Date(Date.now() - 1_000);
  await app.db.updateTable('apiKeys').set({ expiresTime: past }).where(ofTenant(expired)).execute();
  await app.db.updateTable('apiKeys').set({ revokedTime: past }).where(ofTenant(revoked)).execute();
});

const NOBODY = [
  'malformed',
  'mistyped',
  'unknown',
  'wrong secret',
  'expired',
  'revoked',
  'an expired token',
  'a token for others',
];
const CREDENTIALS = [
  ['key', '', 'This API key'],
  ['token', ' token', 'This token'],
] as const;
const BINDING = ['x-api-key', 'authorization'] as const;
const ADMISSION = 'A valid API key is needed, in X-Api-Key or as a bearer token.';

const operations = [
  ...endpoints.map((one) => ({
    ...one,
    kind: 'REST' as const,
    permissions: permissionsOf(one),
    isForAnyKey: false,
  })),
  ...procedures.map((one) => ({ ...one, kind: 'tRPC' as const })),
  ...downloads.map((one) => ({ ...one, kind: 'REST' as const })),
  ...tools.map((one) => ({ ...one, kind: 'MCP' as const })),
  ...integrations.map((one) => ({
    ...one,
    kind: one.title.startsWith('Dify') ? ('Dify' as const) : ('OpenAI' as const),
  })),
];
type Tried = (typeof operations)[number];

/** An endpoint takes what the procedure behind it takes. */
function permissionsOf({ title }: Operation): Permission[] {
  const { procedure } = documented.find(({ method, path }) => `${method} ${path}` === title)!;
  return procedures.find(({ name }) => name === procedure)!.permissions;
}

/** Every key may ask these; what they answer depends on its permissions. */
const FOR_ANY_KEY = /^(session\..*|members\.roles|reach\.(tenants|units)|overview\.(get|attention|limits))$/;

test('every operation takes a permission, but for a few, and has a row', () => {
  for (const one of operations) {
    expect(one.permissions.length === 0, one.title).toBe(one.isForAnyKey);
    expect(one.isForAnyKey, one.title).toBe(FOR_ANY_KEY.test(one.name));
    expect(one.row !== undefined, one.title).toBe(one.kind !== 'tRPC' || !WITHOUT_TENANT.includes(one.name));
  }
  expect(operations.length).toBeGreaterThan(22 + 40);
});

const testIf = (isSo: boolean) => (isSo ? test : () => {});

describe.each(operations.map((one) => [`${one.kind} ${one.title}`, one] as const))('%s', (_, operation) => {
  test('without a key', async () => {
    const answer = await ask(operation, world.own);
    expectRefusal(operation, answer, 401, 'unauthorized', ADMISSION);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="Lectern"');
  });

  test.each(NOBODY.flatMap((kind) => BINDING.map((header) => [kind, header] as const)))(
    'with a key that is %s, in %s',
    async (kind, header) => {
      const key = keys[kind] as string;
      const answer = await ask(operation, world.own, {
        [header]: header === 'x-api-key' ? key : `Bearer ${key}`,
      });
      expectRefusal(operation, answer, 401, 'unauthorized', ADMISSION);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="Lectern", error="invalid_token"');
    },
  );

  test('with a session, from a page of another origin', async () => {
    const answer = await ask(operation, world.own, { cookie: session, 'sec-fetch-site': 'same-site' });
    if (operation.kind !== 'tRPC') return expectRefusal(operation, answer, 401, 'unauthorized', ADMISSION);
    const msg = 'Sessions are only for pages of this server.';
    expect([answer.status, JSON.parse(answer.body).error.data.detail]).toEqual([
      403,
      [{ type: 'forbidden', loc: [], msg }],
    ]);
  });

  testIf(!operation.isForAnyKey)('with a key that lacks the scope', async () => {
    const needed = operation.permissions;
    const key = needed.length === 1 ? lacking[needed[0] as Permission] : await withoutAnyOf(needed);
    const answer = await ask(operation, world.own, { 'x-api-key': key });
    const message = `This API key may not do this: it lacks the scope ${needed.join(' or ')}.`;
    expectRefusal(operation, answer, 403, 'forbidden', message);
  });

  if (!operation.row) return;

  describe.each(CREDENTIALS)('with a %s', (_credential, kind, name) => {
    testIf(uses(operation, 'tenant'))('of another tenant, naming this tenant', async () => {
      const key = keys[`other tenant${kind}`] as string;
      const answer = await ask(operation, world.own, { 'x-api-key': key });
      expectRefusal(operation, answer, 403, 'forbidden', `${name} belongs to another tenant.`);
    });

    test('of another tenant, naming its own', async () => {
      const { tenant, unit } = world.neighbour;
      await expectSameAsUnknown(operation, `other tenant${kind}`, { tenant, unit });
    });

    test('of another tenant, naming none', async () => {
      await expectSameAsUnknown(operation, `other tenant${kind}`, { leaveOut: true });
    });

    testIf(uses(operation, 'unit'))('of another unit, naming this unit', async () => {
      // Here the unit is a part of an id.
      if (/^(Dify|OpenAI: (retrieve|search))/.test(operation.title))
        return expectSameAsUnknown(operation, `other unit${kind}`, {});
      const answer = await ask(operation, world.own, { 'x-api-key': keys[`other unit${kind}`] as string });
      expectRefusal(operation, answer, 403, 'forbidden', `${name} has no access to unit ${OWN_UNIT}.`);
    });

    test('of another unit, naming none', async () => {
      await expectSameAsUnknown(operation, `other unit${kind}`, {
        leaveOut: !uses(operation, 'tenant'),
        unit: 'unit-two',
      });
    });

    // Conversations are in no dataset.
    testIf(!/^(conversations|labels|members|messages|retention|users)/.test(operation.name))(
      'of another dataset',
      async () => {
        await expectSameAsUnknown(operation, `other dataset${kind}`, {});
      },
    );
  });

  test('with the right key, for comparison', async () => {
    const { own } = await createFixtures(app.db);
    const isTenantWide = /^(labels\.(create|update|delete)$|retention\.|users\.|members\.)/.test(
      operation.name,
    );
    const scope = { tenantId: own.tenant, ...(!isTenantWide && { tenantUnitId: OWN_UNIT }) };
    const { key } = await app.makeKey({ scope });
    // A key that is bound to units chooses no ids.
    const target = { ...own, chosenId: undefined };
    const { status, body } = await ask(operation, target, { 'x-api-key': key });
    // What is ready cannot be cancelled.
    expect([200, 201, 204, 409], body).toContain(status);
  });
});

/** What keys with a single scope learn of stored text that they do not send themselves. */
const READS: Partial<Record<Permission, keyof typeof STORED>> = {
  'conversations:read': 'conversation',
  'documents:read': 'document',
  'chunks:read': 'document',
  search: 'document',
};

describe.each(permissions)('with a key that has the scope %s alone', (scope) => {
  const alone = async ({ tenant }: Target) =>
    (await app.makeKey({ scope: { tenantId: tenant }, scopes: [scope] })).key;
  let keyOfWorld: string;
  beforeAll(async () => {
    keyOfWorld = await alone(world.own);
  });

  test.each(operations.map((one) => [`${one.kind} ${one.title}`, one] as const))(
    '%s',
    async (_, operation) => {
      const isAllowed = operation.isForAnyKey || operation.permissions.includes(scope);
      // What is allowed may change everything there is.
      const { own } = isAllowed ? await createFixtures(app.db) : world;
      const key = isAllowed ? await alone(own) : keyOfWorld;
      const answer = await ask(operation, own, { 'x-api-key': key });
      if (!isAllowed) {
        const lacked = operation.permissions.join(' or ');
        const message = `This API key may not do this: it lacks the scope ${lacked}.`;
        return expectRefusal(operation, answer, 403, 'forbidden', message);
      }
      // A key grants only what it may do. Others also read what a conversation says, or which ones a filter matches, or write
      // messages.
      const needsMore =
        /^(apiKeys\.(create|rotate)|conversations\.(bulk|import)|evaluations\.addFromMessage)$/.test(
          operation.name,
        );
      expect([401, 404, 500, ...(needsMore ? [] : [403])], answer.body).not.toContain(answer.status);
      for (const [kind, text] of Object.entries(STORED)) {
        if (READS[scope] !== kind) expect(JSON.stringify(answer)).not.toContain(text);
      }
    },
  );
});

/** Whether an operation's row names its target's tenant or unit. */
function uses({ row }: Tried, part: 'tenant' | 'unit'): boolean {
  const mark = `<${part}>`;
  const target = { tenant: '', unit: '', [part]: mark } as unknown as Target;
  // What ids begin with names none.
  const withoutPrefix = (key: string, value: unknown) => (key === 'prefix' ? undefined : value);
  return JSON.stringify(row?.(target) ?? {}, withoutPrefix).includes(mark);
}

async function withoutAnyOf(needed: Permission[]): Promise<string> {
  const scopes = permissions.filter((one) => !needed.includes(one));
  return (await app.makeKey({ scope: { tenantId: world.own.tenant }, scopes })).key;
}

function ask(
  { row, toRequest }: Operation,
  target: Target,
  headers?: Record<string, string>,
): Promise<RawAnswer> {
  return send(app.address, toRequest(row ? (row as RequestFor<object>)(target) : {}), headers);
}

function expectRefusal(
  { kind, name }: Tried,
  answer: RawAnswer,
  status: number,
  type: string,
  msg: string,
): void {
  // A stream has begun when it is refused; what it tells is the refusal alone.
  const [, streamed] = /^event: serialized-error\ndata: (.*)$/m.exec(answer.body) ?? [];
  const body = streamed ? { error: JSON.parse(streamed) } : JSON.parse(answer.body);
  // What a tool may not do is told in its result, and Dify takes a key for wrong where it is answered 403.
  const expected = streamed || (kind === 'MCP' && status !== 401) ? 200 : kind === 'Dify' ? 403 : status;
  expect({ status: answer.status, body }).toEqual({ status: expected, body });
  const detail = [{ type, loc: expect.any(Array), msg }];
  // Without a valid key nobody looks which procedures are called.
  const data =
    status === 401
      ? { code: 'UNAUTHORIZED', httpStatus: 401 }
      : { code: 'FORBIDDEN', httpStatus: 403, path: name };
  const error = { message: msg, code: expect.any(Number), data: { ...data, detail } };
  const bodies = {
    REST: { detail },
    tRPC: { error },
    MCP: mcpRefusal(status, msg),
    Dify: difyRefusal(answer, msg),
    OpenAI: openAiRefusal(status, msg),
  };
  expect(body).toEqual(bodies[kind]);
}

function mcpRefusal(status: number, text: string): object {
  const error = { code: -32_000, message: text };
  const result = { content: [{ type: 'text', text }], isError: true };
  return { jsonrpc: '2.0', ...(status === 401 ? { id: null, error } : { id: 1, result }) };
}

function difyRefusal({ headers, body }: RawAnswer, error_msg: string): object {
  // Its API has a code for requests without a bearer token.
  const isMalformed = body.includes('1001') && headers['www-authenticate'] === 'Bearer realm="Lectern"';
  return isMalformed
    ? { error_code: 1001, error_msg: 'Expected the header "Authorization: Bearer API_KEY".' }
    : { error_code: 1002, error_msg };
}

function openAiRefusal(status: number, message: string): object {
  const about =
    status === 401
      ? { type: 'authentication_error', code: 'invalid_api_key' }
      : { type: 'permission_error', code: 'forbidden' };
  return { error: { message, param: null, ...about } };
}

interface Asked {
  tenant?: string;
  unit?: string;
  /** Whether the request names neither tenant nor unit. */
  leaveOut?: boolean;
}

/** What lies outside a key's reach is as if it were not there, byte by byte, and stays as it is. */
async function expectSameAsUnknown(
  operation: Tried,
  kind: string,
  { leaveOut, ...place }: Asked,
): Promise<void> {
  const { own, unknown } = world;
  const [asked, absent] = [own, unknown].map((one) => ({ ...one, tenant: own.tenant, ...place })) as [
    Target,
    Target,
  ];
  const answers = [];
  for (const target of [asked, absent]) {
    const row = (operation.row as RequestFor<object>)(target);
    const request = operation.toRequest(leaveOut ? withoutPlace(row) : row);
    const answer = await send(app.address, request, { 'x-api-key': keys[kind] as string });
    // Lists may show what either of both has left behind.
    answers.push(anonymise(answer, asked, absent));
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(await dump(app.db, own.tenant)).toEqual(expect.objectContaining(initial));
}

/** A request that names neither tenant nor unit. */
function withoutPlace(row: object): object {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (/^tenant_?(unit_?)?id$/i.test(name)) return [];
      const isPart = ['query', 'body', 'scope'].includes(name);
      return [[name, isPart ? withoutPlace(value) : value]];
    }),
  );
}
