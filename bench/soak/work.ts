import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Random } from '../support/random.js';
import { type Tenant, UNIT } from './start.js';

/** As many there are when the load is steady. */
const CONVERSATIONS = 200;
const DOCUMENTS = 300;
const DATASETS = ['faq', 'manuals', 'news'];
const AGENT = '5f0c2b6e-4c0a-4b57-9a53-0a4c3f1f7d21';

/** How often each kind of request is sent, beside others. */
const WEIGHTS = {
  createConversation: 12,
  reply: 15,
  listConversations: 10,
  createDocument: 6,
  uploadDocument: 4,
  editDocument: 8,
  renameDocument: 4,
  toggleDocument: 4,
  editChunk: 4,
  listDocuments: 6,
  readHistory: 2,
  search: 20,
  watchProgress: 1,
  signIn: 1,
  previewChunks: 1,
  readAudit: 2,
};
type Kind = keyof typeof WEIGHTS;

interface Item {
  tenant: Tenant;
  id: string;
}

/** Requests of all kinds. What they create takes the place of what is oldest. */
export function createWork({ tenants, pool, random }: { tenants: Tenant[]; pool: pg.Pool; random: Random }) {
  const conversations: Item[] = [];
  const documents: (Item & { externalId: string })[] = [];
  const scopeOf = ({ id }: Tenant) => ({ tenantId: id, tenantUnitId: UNIT });
  const text = () =>
    Array.from(
      { length: random.between(1, 4) },
      () => `${Array.from({ length: random.between(60, 130) }, random.word).join(' ')}.`,
    ).join('\n\n');
  /** Not of those that are deleted next. */
  const someOf = <T>(items: T[]): T => items[random.between(items.length >> 2, items.length - 1)] as T;
  const datasetIds = () => [random.oneOf(DATASETS)];

  async function say({ tenant, id }: Item): Promise<void> {
    await pool.query(
      `insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from,
         content, requested_time) values ($1, $2, $3, $4, $5, 'user', $1, 'user', $6, now())`,
      [randomUUID(), tenant.id, UNIT, id, AGENT, text()],
    );
  }

  async function addDocument(create: (tenant: Tenant) => Promise<{ id: string; externalId: string }>) {
    const tenant = random.oneOf(tenants);
    documents.push({ tenant, ...(await create(tenant)) });
    const oldest = documents.length > DOCUMENTS ? documents.shift() : undefined;
    if (!oldest) return;
    const { trpc } = oldest.tenant.lectern;
    await trpc.documents.delete.mutate({ scope: scopeOf(oldest.tenant), documentId: oldest.id });
  }

  const kinds: Record<Kind, () => Promise<unknown>> = {
    async createConversation() {
      const tenant = random.oneOf(tenants);
      const { trpc } = tenant.lectern;
      const { id } = await trpc.conversations.create.mutate({ scope: scopeOf(tenant), topic: random.word() });
      const conversation = { tenant, id };
      await say(conversation);
      conversations.push(conversation);
      const oldest = conversations.length > CONVERSATIONS ? conversations.shift() : undefined;
      if (!oldest) return;
      await oldest.tenant.lectern.trpc.conversations.delete.mutate({
        scope: scopeOf(oldest.tenant),
        conversationId: oldest.id,
      });
    },
    async reply() {
      const conversation = someOf(conversations);
      const scope = scopeOf(conversation.tenant);
      await say(conversation);
      const status = random.oneOf(['submitted', 'running', 'succeeded', 'failed'] as const);
      const change = { scope, conversationId: conversation.id, status };
      await conversation.tenant.lectern.trpc.conversations.setStatus.mutate(change);
    },
    async listConversations() {
      const tenant = random.oneOf(tenants);
      await tenant.lectern.trpc.conversations.list.query({
        scope: scopeOf(tenant),
        page: random.between(1, 3),
      });
    },
    createDocument: () =>
      addDocument(async (tenant) => {
        const externalId = randomUUID();
        const { trpc } = tenant.lectern;
        const content = { documentName: 'note', documentContent: text(), datasetIds: datasetIds() };
        const { id } = await trpc.documents.upsert.mutate({ scope: scopeOf(tenant), externalId, ...content });
        return { id, externalId };
      }),
    uploadDocument: () =>
      addDocument(async (tenant) => {
        const file = new Blob([`# ${random.word()}\n\n${text()}`]);
        const { id } = await tenant.lectern.addFile(file, {
          scope: scopeOf(tenant),
          documentType: 'UnstructuredFile',
          datasetIds: datasetIds(),
          fileName: 'note.md',
        });
        return { id, externalId: '' };
      }),
    async editDocument() {
      const { tenant, id } = someOf(documents);
      const change = { scope: scopeOf(tenant), documentId: id, documentContent: text() };
      await tenant.lectern.trpc.documents.update.mutate(change);
    },
    async renameDocument() {
      const { tenant, id, externalId } = someOf(documents);
      const { trpc } = tenant.lectern;
      const scope = scopeOf(tenant);
      if (externalId) await trpc.documents.upsert.mutate({ scope, externalId, documentName: random.word() });
      else await trpc.documents.update.mutate({ scope, documentId: id, title: random.word() });
    },
    async toggleDocument() {
      const { tenant, id } = someOf(documents);
      const change = { scope: scopeOf(tenant), documentId: id, enabled: random.next() < 0.8 };
      await tenant.lectern.trpc.documents.setEnabled.mutate(change);
    },
    async editChunk() {
      const { tenant, id } = someOf(documents);
      const { trpc } = tenant.lectern;
      const scope = scopeOf(tenant);
      const { items } = await trpc.chunks.list.query({ scope, documentId: id });
      const chunk = items[random.below(items.length)];
      // None while it is processed for the first time; another revision may take it away meanwhile.
      if (!chunk) return;
      const change = { scope, documentId: id, chunkId: chunk.id, content: text() };
      await trpc.chunks.update.mutate(change).catch(ignoreNotFound);
    },
    async listDocuments() {
      const tenant = random.oneOf(tenants);
      await tenant.lectern.trpc.documents.list.query({ scope: scopeOf(tenant), datasetIds: datasetIds() });
    },
    async readHistory() {
      const { tenant, id } = someOf(documents);
      await tenant.lectern.trpc.documents.history.query({ scope: scopeOf(tenant), documentId: id });
    },
    async search() {
      const tenant = random.oneOf(tenants);
      const query = `${random.word()} ${random.word()}`;
      const question = { scope: scopeOf(tenant), datasetIds: DATASETS, query };
      await tenant.lectern.trpc.chunks.search.query(question);
    },
    async watchProgress() {
      const { tenant, id } = someOf(documents);
      const watched = { scope: scopeOf(tenant), documentIds: [id] };
      for await (const _ of tenant.lectern.progress(watched)) break;
    },
    signIn: () => random.oneOf(tenants).lectern.trpc.session.create.mutate(),
    async previewChunks() {
      const tenant = random.oneOf(tenants);
      const content = { scope: scopeOf(tenant), documentContent: text() };
      await tenant.lectern.trpc.documents.previewChunks.mutate(content);
    },
    async readAudit() {
      const tenant = random.oneOf(tenants);
      await tenant.lectern.trpc.audit.list.query({
        scope: scopeOf(tenant),
        since: new Date(Date.now() - 60_000).toISOString(),
      });
    },
  };

  return {
    /** As much as there is when the load is steady. */
    async fill(): Promise<void> {
      while (conversations.length < CONVERSATIONS) await kinds.createConversation();
      while (documents.length < DOCUMENTS) await kinds.createDocument();
    },
    /** The next request. */
    next(): { kind: Kind; send: () => Promise<unknown> } {
      const kind = random.weighted(WEIGHTS);
      return { kind, send: kinds[kind] };
    },
  };
}

function ignoreNotFound(error: unknown): void {
  const { httpStatus } = (error as { data?: { httpStatus?: number } }).data ?? {};
  if (httpStatus !== 404 && httpStatus !== 409) throw error;
}
