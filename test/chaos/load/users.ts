import { randomUUID } from 'node:crypto';
import type { ConversationModel } from '../model/conversations.js';
import { createRegister } from '../model/register.js';
import type { Client } from './client-context.js';
import { UNITS } from './documents.js';
import { outcomeOf } from './typed-calls.js';

/** Users who come, write, and are erased. */
export function createUserChanges(client: Client, choose: () => ConversationModel | undefined) {
  const { lectern, random, model, tenantId, write } = client;
  const { messages, users } = lectern.trpc;
  let made = 0;
  return { erase };

  /** Begins an erasure. What the user has is known before, as an erasure may miss what comes later. */
  async function erase(): Promise<void> {
    const userId = `${client.name}-user-${++made}`;
    const conversationId = randomUUID();
    const hasTalked = await write({
      what: `the conversation of ${userId}`,
      send: (key) =>
        outcomeOf(
          messages.append.mutate(
            {
              scope: { tenantId, tenantUnitId: random.oneOf(UNITS) },
              conversationId,
              conversation: { topic: `Of ${userId}`, userId },
              messages: [{ id: randomUUID(), messageFrom: 'user', content: `I am ${userId}.` }],
            },
            { context: { idempotencyKey: key } },
          ),
        ),
      mustKnow: true,
    });
    if (!hasTalked || !(await join(userId))) return;
    const isErased = await write({
      what: `the erasure of ${userId}`,
      send: (key) =>
        outcomeOf(users.erase.mutate({ scope: { tenantId }, userId }, { context: { idempotencyKey: key } })),
      mustKnow: true,
    });
    if (isErased) model.erasedUsers.push({ userId, conversationId });
  }

  /** The user writes in a conversation of another one, whose messages must stay. */
  async function join(userId: string): Promise<boolean> {
    const conversation = choose();
    if (!conversation) return true;
    const { id: other = '', firstTopic } = conversation;
    const [joined, kept] = [randomUUID(), randomUUID()];
    const content = createRegister<string | undefined>(undefined);
    conversation.messages.set(kept, content);
    return write({
      what: `messages of ${userId} and another one in ${firstTopic}`,
      send: () =>
        outcomeOf(
          messages.append.mutate({
            scope: { tenantId },
            conversationId: other,
            messages: [
              { id: joined, messageFrom: 'user', userId, content: `${userId} was here.` },
              { id: kept, messageFrom: 'user', content: 'Still here.' },
            ],
          }),
        ),
      changes: [content.change('Still here.')],
      mustKnow: true,
    });
  }
}
