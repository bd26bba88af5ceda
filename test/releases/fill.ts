import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { DatabaseClient } from '../../db/client.js';
import { createLectern } from '../../src/client/index.js';
import { insertTenantRows, OTHER_TENANT, OWN_TENANT } from '../integration/support/tenant-rows.js';
import { waitFor } from '../support/wait-for.js';

const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
const datasetIds = ['faq'];
const FILES = [
  'contract.pdf',
  'headings.docx',
  'stanley-cups.xlsx',
  'attachment.eml',
  'gb18030.txt',
  'encrypted.pdf',
];

/** Uses the server at `address` as its users do, for one tenant. */
export async function useServer(address: string, { db }: DatabaseClient): Promise<void> {
  const lectern = createLectern({ url: address });
  const { trpc } = lectern;
  const consumer = http
    .createServer((_request, response) => response.writeHead(204).end())
    .listen(0, '127.0.0.1');
  await once(consumer, 'listening');
  const { port } = consumer.address() as AddressInfo;
  const { id: webhookId } = await trpc.webhooks.create.mutate({
    scope,
    url: `http://127.0.0.1:${port}/hook`,
    eventTypes: ['document.ready', 'document.failed'],
  });

  for (const fileName of FILES) {
    const file = await openAsBlob(`packages/file-to-markdown/test/fixtures/${fileName}`);
    const documentType = fileName.endsWith('.xlsx') ? 'StructuredFile' : 'UnstructuredFile';
    await lectern.addFile(file, { scope, datasetIds, documentType, fileName });
  }
  const documentType = 'UnstructuredFile';
  const { id: documentId } = await trpc.documents.create.mutate({
    scope,
    datasetIds,
    documentType,
    documentName: 'faq.md',
    documentContent:
      '# Deposit\n\nThe deposit is paid back within thirty days.\n\n# Keys\n\nA lost key costs 50 euros.',
    customProperties: { author: { name: 'Zoë', since: 2019 } },
  });
  await trpc.documents.upsert.mutate({
    scope,
    externalId: 'wiki/1',
    documentContent: '退款在三十天内支付。',
  });
  const isDone = async () => {
    const { items } = await trpc.documents.list.query({ scope });
    return items.every(({ status }) => status === 'ready' || status === 'failed');
  };
  await waitFor(isDone, { what: 'all documents to be processed' });

  const { items: chunks } = await trpc.chunks.list.query({ scope, documentId });
  const [edited] = chunks as [(typeof chunks)[0]];
  await trpc.chunks.update.mutate({
    scope,
    documentId,
    chunkId: edited.id,
    content: 'The deposit is paid back soon.',
  });
  const { items } = await trpc.documents.list.query({ scope });
  const { id: wordId } = items.find(({ documentName }) => documentName === 'headings.docx') ?? { id: '' };
  const { items: sections } = await trpc.chunks.list.query({ scope, documentId: wordId });
  await trpc.chunks.setStatusMany.mutate({
    scope,
    documentId: wordId,
    chunkIds: sections.slice(0, 1).map(({ id }) => id),
    status: 'inactive',
  });
  await trpc.documents.setEnabled.mutate({ scope, documentId: wordId, enabled: false });

  const label = await trpc.labels.create.mutate({ scope, name: 'Refund', color: '#d4351c' });
  for (const topic of ['Refund', '退货', 'Deleted']) {
    const { id: conversationId } = await trpc.conversations.create.mutate({
      scope,
      topic,
      inputs: { channel: 'web' },
    });
    if (topic === 'Deleted') await trpc.conversations.delete.mutate({ scope, conversationId });
    else await talk(conversationId);
  }
  async function talk(conversationId: string): Promise<void> {
    await trpc.conversations.setStatus.mutate({ scope, conversationId, status: 'succeeded' });
    await trpc.conversations.setLabels.mutate({ scope, conversationId, add: [label.id] });
    for (const messageFrom of ['user', 'agent'] as const) {
      await db
        .insertInto('messages')
        .values({
          ...scope,
          id: `${messageFrom} ${conversationId}`,
          conversationId,
          messageFrom,
          agentId: 'agent',
          userId: 'user',
          runId: 'run',
          content: `From the ${messageFrom}.`,
          requestedTime: new Date(),
        })
        .execute();
    }
  }

  const { id: keyId } = await trpc.apiKeys.create.mutate({ scope, name: 'Website', scopes: ['search'] });
  await trpc.apiKeys.create.mutate({ scope, name: 'Editor', scopes: ['documents:write'], datasetIds });
  await trpc.apiKeys.revoke.mutate({ scope, keyId });
  const judged = { scope, collection: 'judged' };
  await trpc.evaluations.saveQuestion.mutate({
    ...judged,
    query: 'When is the deposit paid back?',
    datasetIds,
    expected: [{ documentId, chunkId: edited.id }],
  });
  await trpc.evaluations.run.mutate(judged);
  await trpc.search.saveSynonyms.mutate({ scope, terms: ['deposit', 'bond'] });
  await waitFor(
    async () => (await trpc.webhooks.deliveries.query({ scope, webhookId })).items.length >= FILES.length,
    {
      what: 'webhooks to be delivered',
    },
  );
  await waitFor(
    async () =>
      (await sql`select from webhook_deliveries where delivered_time is null`.execute(db)).rows.length === 0,
    { what: 'webhooks to be answered' },
  );
  consumer.close();
}

/** What no caller leaves behind for long: a row in each further table. */
export async function addRows({ db, pool }: DatabaseClient): Promise<void> {
  await insertTenantRows(db, OWN_TENANT);
  await insertTenantRows(db, OTHER_TENANT);
  await pool.query(`
    insert into search_index (filled_to) values ('acme') on conflict do nothing;
    insert into rate_buckets (bucket, tokens, updated_time, full_time) values ('key', 1, now(), now()) on conflict do nothing`);
}
