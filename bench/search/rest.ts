import type { Filter } from '../../src/search/filter/filter.js';
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

/** Search through tRPC. */
export function searchByTrpc(
  http: HttpClient,
  name: string,
  { filterOf, ...fields }: { typos?: boolean; filterOf?: (question: Question) => Filter } = {},
): Target {
  return {
    name,
    async ask({ text, ...question }: Question) {
      const filter = filterOf?.({ text, ...question });
      const input = { ...toInput(question), query: text, topK: TOP_K, ...fields, filter };
      const { milliseconds, headers, data } = await queryByTrpc<unknown[]>(http, 'chunks.search', input);
      return { milliseconds, hits: data.length, engine: String(headers['x-search-engine']) };
    },
  };
}

/** Suggestions through tRPC, for the question without its last two letters. */
export function suggestByTrpc(http: HttpClient, name: string): Target {
  return {
    name,
    async ask({ text, ...question }: Question) {
      const input = { ...toInput(question), text: text.slice(0, -2) };
      const { milliseconds, data } = await queryByTrpc<{ hits: unknown[] }>(http, 'chunks.suggest', input);
      return { milliseconds, hits: data.hits.length, engine: 'postgres' };
    },
  };
}

const toInput = ({ language, unit, datasets }: Omit<Question, 'text'>) => ({
  scope: { tenantId: TENANT, tenantUnitId: unit },
  datasetIds: datasets,
  language,
});

async function queryByTrpc<Data>(http: HttpClient, procedure: string, input: object) {
  const answer = await http.get(`/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`);
  const { result } = answer.body as { result: { data: Data } };
  return { ...answer, data: result.data };
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
