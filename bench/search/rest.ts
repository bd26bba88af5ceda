import { TENANT } from '../support/corpus.js';
import type { Target } from './ask-in-rounds.js';
import type { HttpClient } from './http-client.js';
import type { Question } from './questions.js';

export const TOP_K = 10;
const CONVERSATIONS = '/admin/api/v2/conversations';

/** Search through REST. */
export function searchByRest(http: HttpClient, name: string): Target {
  return {
    name,
    async ask({ text, language, unit, datasets }: Question) {
      const { milliseconds, headers, body } = await http.post(
        `/admin/api/v1/api/v1/documentChunks/search?tenantId=${TENANT}`,
        {
          tenant_id: TENANT,
          tenant_unit_id: unit,
          dataset_ids: datasets,
          query: text,
          top_k: TOP_K,
          language,
        },
      );
      const engine = String(headers['x-search-engine']);
      return { milliseconds, hits: (body as unknown[]).length, engine };
    },
  };
}

/** Suggestions through tRPC, for the question without its last two letters. */
export function suggestByTrpc(http: HttpClient, name: string): Target {
  return {
    name,
    async ask({ text, language, unit, datasets }: Question) {
      const scope = { tenantId: TENANT, tenantUnitId: unit };
      const input = JSON.stringify({ scope, datasetIds: datasets, text: text.slice(0, -2), language });
      const { milliseconds, body } = await http.get(
        `/trpc/chunks.suggest?input=${encodeURIComponent(input)}`,
      );
      const { result } = body as { result: { data: { hits: unknown[] } } };
      return { milliseconds, hits: result.data.hits.length, engine: 'postgres' };
    },
  };
}

/** Creates a conversation, to read it again and again. */
export async function getConversation(http: HttpClient, name: string): Promise<Target> {
  const { body } = await http.post(`${CONVERSATIONS}?tenant_id=${TENANT}`, {});
  const { id } = body as { id: string };
  return getByRest(http, name, `${CONVERSATIONS}/${id}?tenant_id=${TENANT}`);
}

/** Reads one document again and again. */
export function getDocument(http: HttpClient, name: string, documentId: string): Target {
  return getByRest(http, name, `/admin/api/v1/documents/${documentId}?tenantId=${TENANT}`);
}

function getByRest(http: HttpClient, name: string, path: string): Target {
  return { name, ask: async () => ({ milliseconds: (await http.get(path)).milliseconds }) };
}
