import { describe, expect, test } from 'vitest';
import type { KeyAccess } from '../../src/auth/permissions.js';
import { deleteExpired } from '../../src/retention/expired-rows.js';
import { createCaller } from '../../src/routers/index.js';
import { forgetFormerSecrets } from '../../src/webhook-delivery/sweep.js';
import { useApp } from '../support/app.js';
import { blockedStatements } from '../support/blocked-statements.js';
import { drain } from '../support/drain.js';
import { TENANT_UNIT, TIME, UUID } from './support/rest-client.js';

const { tenantId } = TENANT_UNIT;
const TENANT = { tenantId };
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
const URL = 'https://consumer.example/events?token=hidden';

const app = useApp({ fetchAllowHosts: ['10.1.0.0/16', 'events.internal:8080'] });
const webhooks = () => app.trpc({ 'x-user-id': 'ada' }).webhooks;

const input = { scope: TENANT, url: URL, eventTypes: ['document.ready' as const] };
const refused = (type: string, loc: (string | number)[], msg: string) =>
  expect.objectContaining({ data: expect.objectContaining({ detail: [{ type, loc, msg }] }) });
const unknown = refused('not_found', ['webhookId'], 'Webhook not found.');

/** As a key of the tenant would reach them. */
const asKey = (access: Partial<KeyAccess>, idempotencyKey?: string) =>
  createCaller({
    services: app.app.services,
    actor: { userId: undefined, keyId: 'key' },
    idempotencyKey,
    access: {
      keyId: 'key',
      permissions: ['keys:admin'],
      tenantId,
      tenantUnitIds: null,
      datasetIds: null,
      expiresTime: null,
      ...access,
    },
  }).webhooks;

test('a webhook that is being deleted fails no write whose event it would get', async () => {
  const { id } = await webhooks().create.mutate({ ...input, eventTypes: ['conversation.created'] });
  const creating = await app.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('webhookSubscriptions').where('id', '=', id).execute();
    const creating = app.trpc().conversations.create.mutate({ scope: TENANT_UNIT, topic: 'Meanwhile' });
    await expect.poll(() => blockedStatements(app.db)).toHaveLength(1);
    return { creating };
  });
  expect(await creating.creating).toMatchObject({ topic: 'Meanwhile' });
});

test('create, read, update, delete; the secret is returned once', async () => {
  const { secret, ...made } = await webhooks().create.mutate({
    scope: { tenantId, tenantUnitId: ['sales', 'legal'] },
    url: URL,
    eventTypes: ['document.ready', 'document.failed', 'document.ready'],
    description: 'the indexer',
  });
  expect(secret).toEqual(SECRET);
  expect(made).toEqual({
    id: UUID,
    tenantId,
    tenantUnitIds: ['sales', 'legal'],
    url: URL,
    description: 'the indexer',
    eventTypes: ['document.ready', 'document.failed'],
    enabled: true,
    failures: 0,
    pausedTime: null,
    heldUntil: null,
    formerSecretUntil: null,
    createdTime: TIME,
    updatedTime: TIME,
    createdBy: 'ada',
  });
  const ref = { scope: TENANT, webhookId: made.id };
  expect(await webhooks().get.query(ref)).toEqual(made);
  expect(await webhooks().list.query({ scope: TENANT })).toEqual([made]);

  // Nothing given, nothing changed.
  expect(await webhooks().update.mutate(ref)).toEqual(made);
  const changes = { url: 'https://other.example/', description: null, enabled: false };
  const changed = await webhooks().update.mutate({
    ...ref,
    ...changes,
    eventTypes: ['conversation.created'],
  });
  expect(changed).toEqual({
    ...made,
    ...changes,
    eventTypes: ['conversation.created'],
    updatedTime: TIME,
  });
  expect(await webhooks().deliveries.query(ref)).toMatchObject({ items: [], totalCount: 0 });
  await webhooks().delete.mutate(ref);
  await expect(webhooks().get.query(ref)).rejects.toEqual(unknown);
});

test('unknown fields are refused, each by its name', async () => {
  const named = (...locs: string[][]) =>
    expect.objectContaining({
      data: expect.objectContaining({
        httpStatus: 422,
        detail: locs.map((loc) => ({ type: 'value_error.unrecognized_keys', loc, msg: 'Unknown field.' })),
      }),
    });
  const wider = { ...input, tenantUnitIds: ['sales'], events: ['document.ready'] };
  await expect(webhooks().create.mutate(wider)).rejects.toEqual(named(['tenantUnitIds'], ['events']));
  const units = { ...input, scope: { ...TENANT, unitIds: ['sales'] } };
  await expect(webhooks().create.mutate(units)).rejects.toEqual(named(['scope', 'unitIds']));
  const { id: webhookId } = await webhooks().create.mutate(input);
  const off = { scope: TENANT, webhookId, disabled: true };
  await expect(webhooks().update.mutate(off)).rejects.toEqual(named(['disabled']));
  const long = { scope: TENANT, webhookId, ['x'.repeat(1_000)]: 1 };
  await expect(webhooks().update.mutate(long)).rejects.toEqual(named(['x'.repeat(255)]));
  await webhooks().delete.mutate({ scope: TENANT, webhookId });
});

test.each([
  ['http://consumer.example', 'must begin with https://'],
  ['ftp://consumer.example', 'must be an https URL'],
  ['consumer.example', 'must be an https URL'],
  [
    'https://user:password@consumer.example',
    'must not hold a user name or password; events are signed, which tells that they are genuine',
  ],
  ...['127.0.0.1', '10.2.0.1', '[::1]', '169.254.169.254', 'localhost'].map((host) => [
    `https://${host}:8443/`,
    `must be on the public Internet, which ${host.replace(/[[\]]/g, '')} is not; the operator can allow it with FETCH_ALLOW_HOSTS`,
  ]),
  [
    'https://0x7f.1/',
    'must be on the public Internet, which 127.0.0.1 is not; the operator can allow it with FETCH_ALLOW_HOSTS',
  ],
  ['http://events.internal:8081/', 'must begin with https://'],
])('%s is refused', async (url, msg) => {
  const expected = refused('value_error.url', ['url'], msg as string);
  await expect(webhooks().create.mutate({ ...input, url: url as string })).rejects.toEqual(expected);
});

test.each(['http://10.1.2.3/', 'http://events.internal:8080/', 'https://consumer.example:8443/'])(
  '%s is taken',
  async (url) => {
    const { id } = await webhooks().create.mutate({ ...input, url });
    const ref = { scope: TENANT, webhookId: id };
    const other = 'https://127.0.0.1/';
    await expect(webhooks().update.mutate({ ...ref, url: other })).rejects.toMatchObject({
      data: { httpStatus: 422 },
    });
    await webhooks().delete.mutate(ref);
  },
);

test.each([
  ['without its prefix', Buffer.alloc(32).toString('base64')],
  ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['of other characters', `whsec_${'é'.repeat(40)}`],
])('a secret %s is refused', async (_what, secret) => {
  await expect(webhooks().create.mutate({ ...input, secret })).rejects.toEqual(
    refused(
      'value_error.custom',
      ['secret'],
      'must be whsec_ and the Base64 of 24 to 64 bytes; leave it out to have one made',
    ),
  );
});

test('a tenant has at most twenty', async () => {
  const scope = { tenantId: 'crowded' };
  // All at once, so that they would slip through together.
  const results = await Promise.allSettled(
    Array.from({ length: 22 }, () =>
      createCaller({ services: app.app.services, actor: { userId: 'ada' } }).webhooks.create({
        ...input,
        scope,
      }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  await expect(webhooks().create.mutate({ ...input, scope })).rejects.toEqual(
    refused(
      'quota_exceeded.webhooks',
      ['scope', 'tenantId'],
      'A tenant has at most 20 webhooks; delete one that is not needed.',
    ),
  );
});

describe('a key', () => {
  test('restricted to a unit manages webhooks of this unit only', async () => {
    const ofTenant = await asKey({})
      .create({ ...input, scope: { tenantId: 'walled' } })
      .catch((error) => error);
    expect(ofTenant).toMatchObject({ code: 'FORBIDDEN' });
    const [all, legal] = await Promise.all([
      asKey({}).create(input),
      asKey({}).create({ ...input, scope: { tenantId, tenantUnitId: 'legal' } }),
    ]);
    const bound = asKey({ tenantUnitIds: ['sales'] });
    const own = await bound.create(input);
    expect(own.tenantUnitIds).toEqual(['sales']);
    expect((await bound.list({ scope: TENANT })).map(({ id }) => id)).toEqual([own.id]);
    for (const { id } of [all, legal]) {
      await expect(bound.get({ scope: TENANT, webhookId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(bound.rotateSecret({ scope: TENANT, webhookId: id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    for (const { id } of [all, legal, own]) await asKey({}).delete({ scope: TENANT, webhookId: id });
  });

  test('restricted to datasets manages none', async () => {
    const { id } = await asKey({}).create(input);
    const bound = asKey({ datasetIds: ['faq'] });
    const ref = { scope: TENANT, webhookId: id };
    const attempts = [
      () => bound.create(input),
      () => bound.list({ scope: TENANT }),
      () => bound.get(ref),
      () => bound.update({ ...ref, url: 'https://elsewhere.example' }),
      () => bound.rotateSecret(ref),
      () => bound.resume(ref),
      () => bound.deliveries(ref),
      () => bound.replay({ ...ref, failedSince: '2026-01-01T00:00:00Z' }),
      () => bound.test(ref),
      () => bound.delete(ref),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await asKey({}).delete(ref);
  });
});

test('writes are audited without secrets, and idempotent', async () => {
  const api = asKey({}, 'again');
  const made = await api.create(input);
  expect(await api.create(input)).toEqual(made);
  const ref = { scope: TENANT, webhookId: made.id };
  const { secret } = await asKey({}, 'rotate').rotateSecret(ref);
  expect((await asKey({}, 'rotate').rotateSecret(ref)).secret).toBe(secret);
  await asKey({}).update({ ...ref, url: 'https://consumer.example/hidden' });
  await asKey({}).replay({ ...ref, failedSince: '2026-01-01T00:00:00Z' });
  await asKey({}).delete(ref);

  const entries = await app.db
    .selectFrom('auditEvents')
    .select(['action', 'subjectType', 'before', 'after'])
    .where('tenantId', '=', tenantId)
    .where('subjectId', '=', made.id)
    .orderBy('id')
    .execute();
  const hash = expect.stringMatching(/^[0-9a-f]{16}$/);
  const facts = {
    origin: 'https://consumer.example',
    urlHash: hash,
    eventTypes: ['document.ready'],
    tenantUnitIds: null,
    description: null,
    enabled: true,
    paused: false,
    formerSecretUntil: null,
  };
  const rotated = { formerSecretUntil: TIME };
  expect(entries).toEqual(
    [
      { action: 'webhooks.create', before: null, after: facts },
      { action: 'webhooks.rotateSecret', before: { formerSecretUntil: null }, after: rotated },
      { action: 'webhooks.update', before: { urlHash: hash }, after: { urlHash: hash } },
      {
        action: 'webhooks.replay',
        before: null,
        after: { failedSince: '2026-01-01T00:00:00.000Z', replayed: 0 },
      },
      { action: 'webhooks.delete', before: { ...facts, ...rotated }, after: null },
    ].map((entry) => ({ subjectType: 'webhook', ...entry })),
  );
  const kept = await app.db
    .selectFrom('idempotencyKeys')
    .select('result')
    .where('tenantId', '=', tenantId)
    .execute();
  expect(kept).toHaveLength(2);
  for (const { result } of kept) expect(result.includes('whsec_')).toBe(false);
});

test('the sweep deletes old deliveries and expired secrets', async () => {
  const { id } = await webhooks().create.mutate(input);
  const ref = { scope: TENANT, webhookId: id };
  await webhooks().rotateSecret.mutate(ref);
  await webhooks().update.mutate({ ...ref, enabled: false });
  const now = new Date();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  for (const [delivery, createdTime] of [
    ['old', daysAgo(31)],
    ['new', daysAgo(29)],
  ] as const) {
    await app.db
      .insertInto('webhookDeliveries')
      .values({
        id: delivery,
        tenantId,
        subscriptionId: id,
        eventId: delivery,
        eventType: 'document.ready',
        subjectId: 'document',
        payload: '{}',
        createdTime,
      })
      .execute();
  }
  const rule = { table: 'webhook_deliveries', column: 'created_time', keepMs: 30 * 86_400_000 };
  await drain(deleteExpired(app.db, rule, () => now));
  await drain(forgetFormerSecrets(app.db, now));
  expect((await webhooks().deliveries.query(ref)).items).toEqual([
    {
      id: 'new',
      eventId: 'new',
      eventType: 'document.ready',
      payload: {},
      state: 'failed',
      attempts: 0,
      createdTime: TIME,
      nextAttemptTime: null,
      deliveredTime: null,
      lastStatus: null,
      lastError: null,
    },
  ]);
  expect((await webhooks().get.query(ref)).formerSecretUntil).toEqual(TIME);
  await drain(forgetFormerSecrets(app.db, daysAgo(-2)));
  expect((await webhooks().get.query(ref)).formerSecretUntil).toBe(null);
  await webhooks().delete.mutate(ref);
});

test('deliveries are filtered by state', async () => {
  const { id } = await webhooks().create.mutate({ ...input, scope: { tenantId, tenantUnitId: 'sales' } });
  const ref = { scope: TENANT, webhookId: id };
  await webhooks().update.mutate({ ...ref, enabled: false });
  const now = new Date();
  const shared = {
    tenantId,
    subscriptionId: id,
    eventType: 'document.ready' as const,
    payload: '{}',
    createdTime: now,
  };
  await app.db
    .insertInto('webhookDeliveries')
    .values([
      { ...shared, id: 'waits', eventId: 'e1', subjectId: 's1', nextAttemptTime: now },
      { ...shared, id: 'came', eventId: 'e2', subjectId: 's2', deliveredTime: now },
      { ...shared, id: 'given-up', eventId: 'e3', subjectId: 's3' },
    ])
    .execute();
  const idsOf = async (state?: 'pending' | 'delivered' | 'failed') =>
    (await webhooks().deliveries.query({ ...ref, state })).items.map((one) => one.id);
  expect(await idsOf()).toEqual(['given-up', 'came', 'waits']);
  expect(await idsOf('pending')).toEqual(['waits']);
  expect(await idsOf('delivered')).toEqual(['came']);
  expect(await idsOf('failed')).toEqual(['given-up']);
  await expect(webhooks().replay.mutate({ ...ref, deliveryId: 'nobody' })).rejects.toEqual(
    refused('not_found', ['deliveryId'], 'Delivery not found.'),
  );
  await expect(webhooks().replay.mutate(ref)).rejects.toMatchObject({ data: { httpStatus: 422 } });
  expect(await webhooks().replay.mutate({ ...ref, deliveryId: 'came' })).toEqual({ replayed: 1 });
  expect(await idsOf('pending')).toEqual(['came', 'waits']);
  await webhooks().delete.mutate(ref);
});
