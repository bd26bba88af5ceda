/** The same services behind trpc-to-openapi's own request handler. */
import { initTRPC } from '@trpc/server';
import { createOpenApiHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { connectDatabase } from '../../../db/client.js';
import {
  Conversation,
  ConversationPage,
  toConversation,
  toConversationListItem,
} from '../../../src/rest-facade/conversations.schema.js';
import { Document, toDocument } from '../../../src/rest-facade/documents.schema.js';
import { pageV1, toPageV1, toPageV2 } from '../../../src/rest-facade/pagination.schema.js';
import { createConversations } from '../../../src/services/conversations/conversations.js';
import { createDocumentReads } from '../../../src/services/documents/reads.js';
import { createWriteTransaction } from '../../../src/services/shared/write-transaction.js';
import { listen, url } from './listen.js';

const { db } = connectDatabase(url, { max: 20 });
const conversations = createConversations({
  db,
  writeTransaction: createWriteTransaction(db),
  clock: () => new Date(),
  defaultTenantUnit: { tenantId: 'default', tenantUnitId: 'default' },
  maxPageSize: 100,
});
const documents = createDocumentReads({ db, maxPageSize: 100 });

const V2 = '/admin/api/v2/conversations';
const V1 = '/admin/api/v1/documents';
const id = z.string().min(1).max(255);
const size = z.int().min(1).max(100);
const page = z.int().min(1).default(1);

interface Context {
  setETag(version: number): void;
}
const { router, procedure } = initTRPC.context<Context>().meta<OpenApiMeta>().create();
const get = (path: `/${string}`) => procedure.meta({ openapi: { method: 'GET', path } });

const api = router({
  conversation: get(`${V2}/{conversation_id}`)
    .input(z.object({ conversation_id: id, tenant_id: id }))
    .output(Conversation)
    .query(async ({ ctx, input: { conversation_id: conversationId, tenant_id: tenantId } }) => {
      const row = await conversations.get({ scope: { tenantId }, conversationId });
      ctx.setETag(row.version);
      return toConversation(row);
    }),
  conversations: get(V2)
    .input(z.object({ tenant_id: id, page_num: page, page_size: size }))
    .output(ConversationPage)
    .query(async ({ input: { tenant_id: tenantId, page_num, page_size: pageSize } }) => {
      const filter = { scope: { tenantId }, page: page_num, pageSize, order: 'recent' as const };
      return toPageV2(await conversations.list(filter), toConversationListItem);
    }),
  document: get(`${V1}/{documentId}`)
    .input(z.object({ documentId: id, tenantId: id }))
    .output(Document)
    .query(async ({ ctx, input: { documentId, tenantId } }) => {
      const row = await documents.get({ scope: { tenantId }, documentId });
      ctx.setETag(row.version);
      return toDocument(row);
    }),
  documents: get(V1)
    .input(z.object({ tenantId: id, page, pageSize: size }))
    .output(pageV1(Document, 'DocumentPage'))
    .query(async ({ input: { tenantId, ...paging } }) =>
      toPageV1(await documents.list({ scope: { tenantId }, ...paging }), toDocument),
    ),
});

listen(
  createOpenApiHttpHandler({
    router: api,
    createContext: ({ res }) => ({
      setETag: (version: number) => void res.setHeader('ETag', `"${version}"`),
    }),
  }),
);
