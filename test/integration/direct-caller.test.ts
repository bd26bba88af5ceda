import { describe, expect, test } from 'vitest';
import { appRouter, type Context, createCaller } from '../../src/routers/index.js';
import { useApp } from '../support/app.js';

const app = useApp();
const scope = { tenantId: 'acme' };
const actor = { userId: 'ada' };

/** The caller of tRPC and ours, in the same context. */
const callers = (context: Partial<Context> = {}) => {
  const ctx = { services: app.app.services, actor, ...context };
  return [appRouter.createCaller(ctx), createCaller(ctx)] as const;
};

const outcome = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ answer }),
    ({ code, message }) => ({ code, message }),
  );

test('it has every procedure', () => {
  const [, direct] = callers();
  for (const path of Object.keys(appRouter._def.procedures)) {
    const [area, name] = path.split('.') as [keyof typeof direct, string];
    expect(direct[area], path).toHaveProperty(name, expect.any(Function));
  }
});

describe('it answers as the caller of tRPC', () => {
  const key = {
    keyId: 'key',
    tenantId: 'acme',
    permissions: ['search'],
  } as unknown as NonNullable<Context['access']>;

  test.each([
    ['a list', {}, { scope }],
    ['invalid input', {}, { scope, page: 0 }],
    ['a key without permission, before its input is read', { access: key }, { page: 0 }],
  ])('%s', async (_, context, input) => {
    const [trpc, direct] = callers(context as Partial<Context>);
    const expected = await outcome(trpc.conversations.list(input as never));
    expect(await outcome(direct.conversations.list(input as never))).toEqual(expected);
  });

  test('a record that does not exist', async () => {
    const [trpc, direct] = callers();
    const ref = { scope, conversationId: 'x' };
    expect(await outcome(direct.conversations.get(ref))).toEqual({
      code: 'NOT_FOUND',
      message: 'Conversation not found.',
    });
    expect(await outcome(trpc.conversations.get(ref))).toEqual(await outcome(direct.conversations.get(ref)));
  });
});
