import { TRPCClientError } from '@trpc/client';
import { expect, test } from 'vitest';
import { useServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

/* A server that is killed while callers append messages and write them in parts. */

const WRITERS = 4;
const CALLS = 40;
const scope = { tenantId: 'acme' };
const server = useServerProcess();

/** Sends a call again until a server has answered it, as a caller does. */
const untilAnswered = <T>(call: () => Promise<T>): Promise<T> =>
  waitFor(async () => {
    try {
      return { answer: await call() };
    } catch (error) {
      // What a server has refused is an error of the test.
      if (error instanceof TRPCClientError && error.data && error.data.httpStatus < 500) return { error };
      throw error;
    }
  }).then((result) => {
    if ('error' in result) throw result.error;
    return result.answer;
  });

async function append(conversationId: string, done: () => void): Promise<string[]> {
  const texts: string[] = [];
  for (let n = 0; n < CALLS; n++) {
    const contents = [`${n} first`, `${n} second`];
    texts.push(...contents);
    const messages = contents.map((content) => ({
      id: `${conversationId} ${content}`,
      messageFrom: 'user',
      content,
    }));
    await untilAnswered(() => server.trpc.messages.append.mutate({ scope, conversationId, messages }));
    done();
  }
  return texts;
}

async function stream(conversationId: string, done: () => void): Promise<string[]> {
  const texts: string[] = [];
  const parts = 4;
  for (let n = 0; n < CALLS; n++) {
    const part = n % parts;
    const text = `${n} `;
    if (part === 0) texts.push('');
    texts.push(`${texts.pop()}${text}`);
    await untilAnswered(() =>
      server.trpc.messages.stream.mutate({
        scope,
        conversationId,
        messageId: `${conversationId} ${n - part}`,
        part,
        text,
        ...(part === 0 && { message: { messageFrom: 'agent' } }),
        ...(part === parts - 1 && { close: { status: 'done' } }),
      }),
    );
    done();
  }
  return texts;
}

test('every message is stored once and in order, whenever the server is killed', async () => {
  await server.start();
  const conversations = await Promise.all(
    Array.from({ length: 2 * WRITERS }, () =>
      server.trpc.conversations.create.mutate({ scope: { ...scope, tenantUnitId: 'sales' } }),
    ),
  );
  let calls = 0;
  const done = () => void calls++;
  const written = Promise.all(
    conversations.map(({ id }, place) => (place < WRITERS ? append(id, done) : stream(id, done))),
  );
  const all = 2 * WRITERS * CALLS;
  for (const share of [0.2, 0.4, 0.6, 0.8]) {
    await waitFor(() => calls >= share * all, { what: `${share * all} calls` });
    await server.kill();
    await server.start();
  }
  const expected = await written;
  for (const [place, { id }] of conversations.entries()) {
    const rows = await server.db
      .selectFrom('messages')
      .select(['content', 'sequence', 'isOpen'])
      .where('tenantId', '=', scope.tenantId)
      .where('conversationId', '=', id)
      .orderBy('requestedTime')
      .execute();
    expect(rows.map(({ content }) => content)).toEqual(expected[place]);
    const numbers = rows.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(rows.every(({ isOpen }) => isOpen === null)).toBe(true);
  }
}, 600_000);
