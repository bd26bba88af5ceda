import type { Answer, HttpClient } from '../../search/http-client.js';
import { conversationId, documentId, TENANT, UNIT } from './fill-tenant.js';

/* Reads of the tenant that `fillTenant` makes. The same number is the same request. */

export const getConversation = (http: HttpClient, n: number): Promise<Answer> =>
  http.get(`/admin/api/v2/conversations/${conversationId(n)}?tenant_id=${TENANT}`);

export const getDocument = (http: HttpClient, n: number): Promise<Answer> =>
  http.get(`/admin/api/v1/documents/${documentId(n)}?tenantId=${TENANT}`);

export const listConversations = (http: HttpClient): Promise<Answer> =>
  http.get(`/admin/api/v2/conversations?tenant_id=${TENANT}&page_size=20`);

export const listDocuments = (http: HttpClient): Promise<Answer> =>
  http.get(`/admin/api/v1/documents?tenantId=${TENANT}&pageSize=20`);

/** Finds what `indexChunks` has indexed. */
export const searchChunks = (http: HttpClient, query: string): Promise<Answer> =>
  http.post(`/admin/api/v1/api/v1/documentChunks/search?tenantId=${TENANT}`, {
    tenant_id: TENANT,
    tenant_unit_id: UNIT,
    dataset_ids: ['faq'],
    query,
  });

export const conversationInput = (n: number) => ({
  scope: { tenantId: TENANT },
  conversationId: conversationId(n),
});
export const encodeInput = (input: unknown): string => encodeURIComponent(JSON.stringify(input));

export const getConversationOverTrpc = (http: HttpClient, n: number): Promise<Answer> =>
  http.get(`/trpc/conversations.get?input=${encodeInput(conversationInput(n))}`);
