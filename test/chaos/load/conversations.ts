import { type ConversationModel, newConversation } from '../model/conversations.js';
import type { Client } from './client-context.js';
import { UNITS } from './documents.js';

const STATUSES = ['running', 'succeeded', 'failed', 'review-requested', 'reviewed'];
const MANY = 60;

/** Changes of the conversations of a client. */
export function createConversationChanges(client: Client) {
  const { calls, random, model, tenantId, write } = client;
  const own: ConversationModel[] = [];
  const place = { tenantId, tenantUnitId: random.oneOf(UNITS) };
  let made = 0;
  return { create, rename, setStatus, remove, choose };

  function choose(): ConversationModel | undefined {
    const there = own.filter(({ id, exists }) => id !== undefined && exists.value && exists.isCertain());
    return there.length > 0 ? random.oneOf(there) : undefined;
  }

  async function create(): Promise<void> {
    if (own.filter(({ exists }) => exists.value).length >= MANY) return remove();
    const topic = `${client.name}-conversation-${++made}`;
    const conversation = newConversation(place, topic);
    own.push(conversation);
    model.conversations.push(conversation);
    await write({
      what: `the creation of ${topic}`,
      send: (key) => calls.createConversation(key, place, topic),
      changes: [conversation.exists.change(true)],
      onDone: ({ id }) => {
        conversation.id = id;
      },
      mustKnow: true,
    });
  }

  async function rename(): Promise<void> {
    const conversation = choose();
    if (!conversation) return create();
    const topic = `${random.word()} ${random.word()}`;
    await write({
      what: `the renaming of ${conversation.firstTopic}`,
      send: (key) => calls.renameConversation(key, place, conversation.id ?? '', topic),
      changes: [conversation.topic.change(topic)],
    });
  }

  async function setStatus(): Promise<void> {
    const conversation = choose();
    if (!conversation?.status.isCertain()) return create();
    const status = random.oneOf(STATUSES.filter((one) => one !== conversation.status.value));
    const isDone = await write({
      what: `the status of ${conversation.firstTopic}`,
      send: (key) => calls.setConversationStatus(key, place, conversation.id ?? '', status),
      changes: [conversation.status.change(status)],
    });
    conversation.statusChanges[isDone ? 'acknowledged' : 'inDoubt']++;
    if (!isDone) await readConversation(client, conversation);
  }

  async function remove(): Promise<void> {
    const conversation = choose();
    if (!conversation) return;
    await write({
      what: `the deletion of ${conversation.firstTopic}`,
      send: (key) => calls.deleteConversation(key, place, conversation.id ?? ''),
      changes: [conversation.exists.change(false)],
    });
  }
}

/** Reads a conversation, and compares it with what is known of it. */
export async function readConversation(
  { calls, model }: Pick<Client, 'calls' | 'model'>,
  conversation: ConversationModel,
): Promise<void> {
  const { firstTopic, id, exists, topic, status } = conversation;
  if (id === undefined) return;
  const read = await calls.readConversation(conversation, id);
  if (read.kind === 'doubt') return;
  const fault = (what: string) => void model.faults.push(`${firstTopic}: ${what}`);
  if (read.kind === 'refused') return fault(`its read was answered ${read.status}`);
  const found = read.value;
  if (!exists.see(found !== undefined)) {
    return fault(found ? 'it was deleted, and is there' : 'it was acknowledged, and is not there');
  }
  if (!found) return;
  if (!topic.see(found.topic)) fault(`its topic is ${found.topic}`);
  if (!status.see(found.status)) fault(`its status is ${found.status}`);
}
