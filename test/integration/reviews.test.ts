import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { RunStatus } from '../../db/enums.js';
import { useApp } from '../support/app.js';
import { TIME, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });

/** A tenant of its own for each test: they count. */
const somewhere = () => ({ tenantId: `tenant-${uuid()}`, tenantUnitId: 'sales' });
type Place = ReturnType<typeof somewhere>;

const signedIn = async ({ tenantId }: { tenantId: string }, fields: object = {}, headers: object = {}) =>
  app.trpc({ 'x-api-key': (await app.makeKey({ scope: { tenantId }, ...fields })).key, ...headers });
const create = async (place: Place, status: RunStatus = 'review-requested') =>
  (await signedIn(place)).conversations.create.mutate({ scope: place, status });
const errorOf = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );
const notFound = (field: string) => ({
  status: 404,
  detail: [{ type: 'not_found', loc: [field], msg: 'Conversation not found.' }],
});

describe('a review', () => {
  test('is stored with its author, and closes the conversation', async () => {
    const place = somewhere();
    const before = await create(place);
    const zoe = await signedIn(place, {}, { 'x-user-id': 'zoe' });
    const ref = { scope: place, conversationId: before.id };
    const after = await zoe.conversations.review.mutate({ ...ref, verdict: 'bad', note: 'It guessed.' });
    const { version, ...rest } = before;
    const reviewed = { ...rest, status: 'reviewed', updatedTime: TIME, updatedBy: 'zoe' };
    expect(after).toEqual({ ...reviewed, version: version + 1 });
    expect(await zoe.conversations.get.query(ref)).toEqual(after);
    const first = { id: UUID, verdict: 'bad', note: 'It guessed.', reviewedTime: TIME, reviewedBy: 'zoe' };
    expect(await zoe.conversations.reviews.query(ref)).toEqual({
      items: [first],
      page: 1,
      pageSize: 20,
      totalCount: 1,
      totalPages: 1,
      hasNextPage: false,
    });
    expect((await zoe.conversations.statusHistory.query(ref)).items[0]).toEqual({
      fromStatus: 'review-requested',
      toStatus: 'reviewed',
      changedTime: TIME,
      changedBy: 'zoe',
    });

    const again = await zoe.conversations.review.mutate({ ...ref, verdict: 'good' });
    expect(again).toEqual({ ...reviewed, version: version + 2 });
    const second = { ...first, id: UUID, verdict: 'good', note: null };
    expect((await zoe.conversations.reviews.query(ref)).items).toEqual([second, first]);
    expect(await zoe.conversations.reviews.query({ ...ref, page: 2, pageSize: 1 })).toEqual({
      items: [first],
      page: 2,
      pageSize: 1,
      totalCount: 2,
      totalPages: 2,
      hasNextPage: false,
    });
  });

  test('of a changed conversation is refused, and stores nothing', async () => {
    const place = somewhere();
    const { id: conversationId, version } = await create(place);
    const client = await signedIn(place);
    const ref = { scope: place, conversationId };
    const reviews = await Promise.allSettled(
      ['good', 'mixed', 'bad'].map((verdict) =>
        client.conversations.review.mutate({
          ...ref,
          verdict: verdict as 'good',
          expectedVersion: version,
        }),
      ),
    );
    const refused = reviews.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason.data.httpStatus)).toEqual([412, 412]);
    expect((await client.conversations.reviews.query(ref)).totalCount).toBe(1);
  });

  test('is audited with its verdict and without its note, and is told to subscribers', async () => {
    const place = somewhere();
    const { id: conversationId } = await create(place);
    const client = await signedIn(place);
    const { id: webhookId } = await client.webhooks.create.mutate({
      scope: place,
      url: 'https://pages.test/hook',
      eventTypes: ['conversation.status_changed'],
    });
    await client.conversations.review.mutate({
      scope: place,
      conversationId,
      verdict: 'mixed',
      note: 'A secret.',
    });
    const auditor = await signedIn(place, { scopes: ['keys:admin'] });
    for (const caller of [client, auditor]) {
      const { items } = await caller.audit.list.query({ scope: place, subjectId: conversationId });
      expect(items.map(({ action, before, after }) => ({ action, before, after })).slice(0, 2)).toEqual([
        { action: 'conversations.review', before: null, after: { verdict: 'mixed' } },
        {
          action: 'conversations.setStatus',
          before: { status: 'review-requested' },
          after: { status: 'reviewed' },
        },
      ]);
      expect(JSON.stringify(items)).not.toContain('secret');
    }
    const { items: deliveries } = await client.webhooks.deliveries.query({ scope: place, webhookId });
    expect(deliveries).toMatchObject([{ eventType: 'conversation.status_changed' }]);
  });

  test('returns no text to a key that may not read', async () => {
    const place = somewhere();
    const { id: conversationId } = await create(place);
    const writer = await signedIn(place, { scopes: ['conversations:write'] });
    const answer = await writer.conversations.review.mutate({
      scope: place,
      conversationId,
      verdict: 'good',
    });
    expect(answer).toMatchObject({ id: conversationId, status: 'reviewed' });
    expect(Object.keys(answer)).not.toContain('topic');
    const refused = await errorOf(writer.conversations.reviews.query({ scope: place, conversationId }));
    expect(refused).toMatchObject({ status: 403 });
  });

  test('is deleted with its conversation', async () => {
    const place = somewhere();
    const { id: conversationId } = await create(place);
    const client = await signedIn(place);
    await client.conversations.review.mutate({ scope: place, conversationId, verdict: 'good' });
    const stored = () =>
      app.db
        .selectFrom('conversationReviews')
        .select(['conversationId', 'verdict'])
        .where('tenantId', '=', place.tenantId)
        .execute();
    expect(await stored()).toEqual([{ conversationId, verdict: 'good' }]);
    await client.conversations.delete.mutate({ scope: place, conversationId });
    expect(await stored()).toEqual([]);
  });

  test('is refused where the conversation is of others, and where the input is wrong', async () => {
    const place = somewhere();
    const { id: conversationId } = await create(place);
    const own = await signedIn(place);
    const strangers = [
      await signedIn(somewhere()),
      await signedIn(place, { scope: { ...place, tenantUnitId: 'desk' } }),
    ];
    for (const [client, id] of [...strangers.map((one) => [one, conversationId] as const), [own, 'none']]) {
      const { conversations } = client as typeof own;
      const ref = { conversationId: id as string };
      expect(await errorOf(conversations.review.mutate({ ...ref, verdict: 'bad' }))).toEqual(
        notFound('conversationId'),
      );
      expect(await errorOf(conversations.reviews.query(ref))).toEqual(notFound('conversationId'));
    }
    const ref = { scope: place, conversationId, verdict: 'bad' as const };
    for (const [field, value] of [
      ['verdict', 'down'],
      ['verdict', undefined],
      ['note', 'x'.repeat(10_001)],
      ['expectedVersion', 'one'],
    ] as const) {
      const wrong = { ...ref, [field]: value } as typeof ref;
      expect(await errorOf(own.conversations.review.mutate(wrong))).toMatchObject({
        status: 422,
        detail: [{ loc: [field] }],
      });
    }
    expect((await own.conversations.reviews.query(ref)).items).toEqual([]);
  });
});

describe('the queue for reviews', () => {
  const none = { count: 0, isLowerBound: false };

  test('goes from the oldest to the newest and back, also between those of the same time', async () => {
    const place = somewhere();
    const client = await signedIn(place);
    expect(await client.conversations.nextForReview.query({ scope: place })).toEqual({
      conversation: null,
      waiting: none,
    });
    const made = [];
    for (let place_ = 0; place_ < 4; place_++) made.push(await create(place));
    const running = await create(place, 'running');
    // Three of them at once, with microseconds that JavaScript does not have.
    await app.db
      .updateTable('conversations')
      .set({ createdTime: sql<Date>`'2026-03-01T09:00:00.123456Z'` })
      .where('tenantId', '=', place.tenantId)
      .where(
        'id',
        'in',
        made.slice(1).map(({ id }) => id),
      )
      .execute();
    const [newest, ...sameTime] = made as [(typeof made)[0], ...typeof made];
    const queue = [...sameTime.sort((a, b) => (a.id < b.id ? -1 : 1)), newest].map(({ id }) => id);
    const next = (fields: object = {}) =>
      client.conversations.nextForReview.query({ scope: place, ...fields });
    const idOf = async (fields: object) => (await next(fields)).conversation?.id ?? null;
    const [first] = queue as [string];
    expect(await next()).toEqual({
      conversation: await client.conversations.get.query({ scope: place, conversationId: first }),
      waiting: { count: 4, isLowerBound: false },
    });
    const neighbours = await Promise.all(
      queue.map(async (id) => [await idOf({ before: id }), await idOf({ after: id })]),
    );
    expect(neighbours).toEqual(queue.map((_, index) => [queue[index - 1] ?? null, queue[index + 1] ?? null]));
    // One of another status has a place in the queue, too.
    expect([await idOf({ before: running.id }), await idOf({ after: running.id })]).toEqual([
      newest.id,
      null,
    ]);

    await client.conversations.review.mutate({ scope: place, conversationId: first, verdict: 'good' });
    expect(await next({ after: first })).toMatchObject({
      conversation: { id: queue[1] },
      waiting: { count: 3, isLowerBound: false },
    });
    expect(await idOf({ before: queue[1] })).toBe(null);
  });

  test('has the conversations of the units that are asked for', async () => {
    const sales = somewhere();
    const desk = { ...sales, tenantUnitId: 'desk' };
    const back = { ...sales, tenantUnitId: 'back' };
    const made = [await create(desk), await create(back), await create(sales)].map(({ id }) => id);
    const all = await signedIn(sales);
    const ofTenant = { tenantId: sales.tenantId };
    const walk = async (scope: object, client = all) => {
      const found: string[] = [];
      for (;;) {
        const after = found.at(-1);
        const { conversation } = await client.conversations.nextForReview.query({
          scope: { ...ofTenant, ...scope },
          ...(after !== undefined && { after }),
        });
        if (!conversation) return found;
        found.push(conversation.id);
      }
    };
    expect(await walk({})).toEqual(made);
    expect(await walk({ tenantUnitId: ['sales', 'desk'] })).toEqual([made[0], made[2]]);
    const keyOfBack = await signedIn(sales, { scope: { ...ofTenant, tenantUnitId: 'back' } });
    expect(await walk({}, keyOfBack)).toEqual([made[1]]);
    const { waiting } = await keyOfBack.conversations.nextForReview.query({ scope: ofTenant });
    expect(waiting).toEqual({ count: 1, isLowerBound: false });
    const strange = keyOfBack.conversations.nextForReview.query({
      scope: ofTenant,
      after: made[0] as string,
    });
    expect(await errorOf(strange)).toEqual(notFound('after'));
    const unknown = keyOfBack.conversations.nextForReview.query({ scope: ofTenant, before: 'none' });
    expect(await errorOf(unknown)).toEqual(notFound('before'));
  });

  test('has one direction at a time', async () => {
    const place = somewhere();
    const { id } = await create(place);
    const client = await signedIn(place);
    const both = client.conversations.nextForReview.query({ scope: place, after: id, before: id });
    expect(await errorOf(both)).toMatchObject({
      status: 422,
      detail: [{ loc: ['before'], msg: 'cannot be given together with after' }],
    });
  });
});
