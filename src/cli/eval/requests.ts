import { unavailable } from '../../errors/errors.js';
import { MAX_SUGGESTIONS, type Suggestions } from '../../services/search/suggest.schema.js';

export interface Hit {
  document_id: string;
  score: number;
}

export interface Search {
  tenantId: string;
  query: string;
  language: 'english' | 'chinese';
  topK: number;
}

/** One request of chunk search. */
export function search(address: string, { tenantId, query, language, topK }: Search): Promise<Hit[]> {
  const route = `${address}/admin/api/v1/api/v1/documentChunks/search`;
  return post(`${route}?${new URLSearchParams({ tenantId })}`, {
    tenant_id: tenantId,
    tenant_unit_id: 'eval',
    dataset_ids: ['eval'],
    query,
    top_k: topK,
    language,
  });
}

/** The hits of a field in which a question is being typed. */
export async function suggest(address: string, { tenantId, query, language, topK }: Search): Promise<Hit[]> {
  const scope = { tenantId, tenantUnitId: 'eval' };
  const input = {
    scope,
    datasetIds: ['eval'],
    text: query,
    language,
    limit: Math.min(topK, MAX_SUGGESTIONS),
  };
  const { result } = await get<{ result: { data: Pick<Suggestions, 'hits'> } }>(
    `${address}/trpc/chunks.suggest?input=${encodeURIComponent(JSON.stringify(input))}`,
  );
  return result.data.hits.map(({ documentId, score }) => ({ document_id: documentId, score }));
}

export const get = <T>(url: string): Promise<T> => ask(url);

export const post = <T>(url: string, body: object): Promise<T> =>
  ask(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

async function ask<T>(url: string, request?: RequestInit): Promise<T> {
  const answer = await fetch(url, request);
  if (!answer.ok) {
    throw unavailable(`${new URL(url).pathname} answered ${answer.status}: ${await answer.text()}`);
  }
  return (await answer.json()) as T;
}
