import { randomUUID } from 'node:crypto';
import type { Lectern } from '../../../src/client/index.js';
import type { ConversationModel } from '../model/conversations.js';
import type { Model } from '../model/model.js';
import { createRegister, type Register } from '../model/register.js';
import type { Client } from './client-context.js';
import { outcomeOf } from './typed-calls.js';

const MOST_MESSAGES = 5;
const MOST_PARTS = 4;

/** Messages that a client adds to its conversations, which REST does not do. */
export function createMessageChanges(client: Client, choose: () => ConversationModel | undefined) {
  const { lectern, random, write } = client;
  const { messages } = lectern.trpc;
  return { append, stream };

  /** Nothing is stored of a message yet. */
  function newMessage(conversation: ConversationModel): {
    id: string;
    content: Register<string | undefined>;
  } {
    const id = randomUUID();
    const content = createRegister<string | undefined>(undefined);
    conversation.messages.set(id, content);
    return { id, content };
  }

  async function append(): Promise<void> {
    const conversation = choose();
    if (!conversation) return;
    const { tenantId, id: conversationId = '', firstTopic } = conversation;
    const added = Array.from({ length: random.between(1, MOST_MESSAGES) }, () => ({
      ...newMessage(conversation),
      text: `${random.word()} ${random.word()}`,
    }));
    await write({
      what: `messages of ${firstTopic}`,
      // Their ids make the request safe to repeat.
      send: () =>
        outcomeOf(
          messages.append.mutate({
            scope: { tenantId },
            conversationId,
            messages: added.map(({ id, text }) => ({ id, messageFrom: 'user', content: text })),
          }),
        ),
      changes: added.map(({ content, text }) => content.change(text)),
    });
  }

  /** A message in parts. Where it is in doubt whether a part was stored, its writer is lost. */
  async function stream(): Promise<void> {
    const conversation = choose();
    if (!conversation) return;
    const { tenantId, id: conversationId = '', firstTopic } = conversation;
    const { id: messageId, content } = newMessage(conversation);
    const parts = random.between(1, MOST_PARTS);
    let written = '';
    for (let part = 0; part < parts; part++) {
      const text = `${random.word()} `;
      written += text;
      const isDone = await write({
        what: `part ${part} of a message of ${firstTopic}`,
        send: () =>
          outcomeOf(
            messages.stream.mutate({
              scope: { tenantId },
              conversationId,
              messageId,
              part,
              text,
              ...(part === 0 && { message: { messageFrom: 'agent' } }),
              ...(part === parts - 1 && { close: {} }),
            }),
          ),
        changes: [content.change(written)],
      });
      if (!isDone) return;
    }
  }
}

/**
 * Compares the messages of conversations that are there with what is known of them. Faults go into the model.
 *
 * @param lecternOf by tenant
 */
export async function checkMessages(model: Model, lecternOf: Map<string, Lectern>): Promise<void> {
  for (const { tenantId, id, firstTopic, exists, messages } of model.conversations) {
    const lectern = lecternOf.get(tenantId);
    if (!lectern || id === undefined || !exists.value) continue;
    const found = await readMessages(lectern, tenantId, id);
    for (const [messageId, content] of messages) {
      const text = found.get(messageId);
      if (!content.see(text))
        model.faults.push(
          `${firstTopic}: a message is “${text}”, and not “${content.possible().join('” or “')}”`,
        );
      found.delete(messageId);
    }
    for (const messageId of found.keys())
      model.faults.push(`${firstTopic}: nobody has written the message ${messageId}`);
  }
}

/** @returns texts by id */
async function readMessages({ trpc }: Lectern, tenantId: string, conversationId: string) {
  const found = new Map<string, string>();
  for (let page = 1; ; page++) {
    const query = { scope: { tenantId }, conversationId, page, pageSize: 100 };
    const { items, totalPages } = await trpc.messages.list.query(query);
    for (const { id, content } of items) found.set(id, content);
    if (page >= totalPages) return found;
  }
}
