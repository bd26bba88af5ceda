import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../src/routers/index.js';
import { hostileFilters } from './hostile-filters.js';
import type { KnownValues } from './sample-schema.js';

export const TENANT_UNIT = { tenantId: 'fuzz', tenantUnitId: 'unit' };
export const DATASET = 'set';

export const connectClient = (address: string, key: string) =>
  createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${address}/trpc`, headers: { 'x-api-key': key } })],
  });
export type Client = ReturnType<typeof connectClient>;

/**
 * Makes some of everything, so that requests can name what exists.
 *
 * @param urls addresses that documents and webhooks are given
 */
export async function createFixtures(
  client: Client,
  { urls, keyIds }: { urls: string[]; keyIds: string[] },
): Promise<KnownValues> {
  const scope = TENANT_UNIT;
  const conversations = [];
  const documents = [];
  for (let i = 0; i < 20; i++) {
    conversations.push(await client.conversations.create.mutate({ scope, topic: `Topic ${i}` }));
    documents.push(
      await client.documents.create.mutate({
        scope,
        documentType: 'UnstructuredFile',
        datasetIds: [DATASET],
        documentContent: `The harbour master keeps gate ${i} open until dusk. Boats pay ${i} coins.`,
      }),
    );
  }
  const webhook = await client.webhooks.create.mutate({
    scope,
    url: urls[0] ?? '',
    eventTypes: ['document.ready', 'document.failed', 'conversation.created'],
  });
  const documentIds = documents.map(({ id }) => id);
  const pages = await Promise.all(
    documentIds.map((documentId) => client.chunks.list.query({ scope, documentId })),
  );
  const chunkIds = pages.flatMap(({ items }) => items.map(({ id }) => id));
  const conversationIds = conversations.map(({ id }) => id);
  return {
    tenantId: [TENANT_UNIT.tenantId],
    tenant_id: [TENANT_UNIT.tenantId],
    tenantUnitId: [TENANT_UNIT.tenantUnitId],
    tenant_unit_id: [TENANT_UNIT.tenantUnitId],
    documentId: documentIds,
    document_id: documentIds,
    documentIds: [JSON.stringify(documentIds.slice(0, 3)), documentIds.slice(0, 3)],
    chunkId: chunkIds,
    chunk_id: chunkIds,
    documentChunkId: chunkIds,
    conversationId: conversationIds,
    conversation_id: conversationIds,
    datasetId: [DATASET],
    dataset_id: [DATASET],
    webhookId: [webhook.id],
    keyId: keyIds,
    filter: hostileFilters,
    filters: hostileFilters,
    query: ['harbour master', 'coins until dusk'],
    url: urls,
    // Slow ones would keep the others waiting: a tenant's are read one after another.
    sitemap: urls.slice(0, 1),
    externalId: ['first', 'second', 'third'],
  };
}
