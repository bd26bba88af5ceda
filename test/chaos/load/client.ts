import { setTimeout as delay } from 'node:timers/promises';
import { createChunkChanges } from './chunks.js';
import type { ClientContext } from './client-context.js';
import { createConversationChanges } from './conversations.js';
import { createDocumentChanges } from './documents.js';
import { createKeyChanges } from './keys.js';
import { createMessageChanges } from './messages.js';
import { createTexts } from './texts.js';
import { createUserChanges } from './users.js';
import { createWebhookChanges } from './webhooks.js';
import { createWrites, type Writes } from './write.js';

/** Each client has words of its own. */
const MARKERS_PER_CLIENT = 100_000;
const PAUSE_MS = { least: 20, most: 300 };

const WEIGHTS = {
  createDocument: 20,
  editChunk: 12,
  switchChunk: 10,
  deleteChunk: 4,
  toggle: 10,
  relabel: 8,
  datasets: 5,
  content: 7,
  deleteDocument: 5,
  createConversation: 7,
  renameConversation: 5,
  setStatus: 8,
  deleteConversation: 4,
  append: 10,
  stream: 5,
  eraseUser: 2,
  key: 5,
  webhook: 2,
};

export interface RunningClient {
  counts: Record<string, number>;
  writes: Writes['counts'];
  /** Makes random changes, one after the other, until it is over. */
  run(isOver: () => boolean): Promise<void>;
}

/** One who writes to documents, conversations, keys and webhooks of its own. */
export function createClient(context: ClientContext): RunningClient {
  const { random, number, model } = context;
  const texts = createTexts(random, number * MARKERS_PER_CLIENT);
  const client = { ...context, texts, ...createWrites(random, model.faults) };
  const documents = createDocumentChanges(client);
  const chunks = createChunkChanges(client, documents);
  const conversations = createConversationChanges(client);
  const messages = createMessageChanges(client, conversations.choose);
  const users = createUserChanges(client, conversations.choose);
  const keys = createKeyChanges(client);
  const webhooks = createWebhookChanges(client);
  const changes: Record<keyof typeof WEIGHTS, () => Promise<void>> = {
    createDocument: documents.create,
    editChunk: chunks.edit,
    switchChunk: chunks.toggle,
    deleteChunk: chunks.remove,
    toggle: documents.toggle,
    relabel: documents.relabel,
    datasets: documents.changeDatasets,
    content: documents.changeContent,
    deleteDocument: documents.remove,
    createConversation: conversations.create,
    renameConversation: conversations.rename,
    setStatus: conversations.setStatus,
    deleteConversation: conversations.remove,
    append: messages.append,
    stream: messages.stream,
    eraseUser: users.erase,
    key: keys.change,
    webhook: webhooks.change,
  };
  const counts: Record<string, number> = {};

  return {
    counts,
    writes: client.counts,
    async run(isOver) {
      while (!isOver()) {
        const kind = random.weighted(WEIGHTS);
        counts[kind] = (counts[kind] ?? 0) + 1;
        await changes[kind]().catch((error) => model.faults.push(`${context.name}, ${kind}: ${error.stack}`));
        await delay(random.between(PAUSE_MS.least, PAUSE_MS.most));
      }
    },
  };
}
