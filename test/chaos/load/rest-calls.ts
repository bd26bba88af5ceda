import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/support/random.js';
import { readRetryAfter } from '../../../src/errors/retry-after.js';
import { type Calls, codesOf, type DocumentState } from './calls.js';
import { isTemporary, type Outcome } from './outcome.js';
import type { Traffic } from './traffic.js';

const DOCUMENTS = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1/documents';
const CONVERSATIONS = '/admin/api/v2/conversations';
const ATTEMPTS = 4;
const LONGEST_PAUSE_S = 2;
const PAGE_SIZE = 100;

interface Asked {
  key?: string | undefined;
  query?: Record<string, string>;
  body?: object | FormData;
}

/** The REST API, as a program without any library of ours would call it. */
export function createRestCalls(traffic: Traffic, apiKey: string, random: Random): Calls {
  /** Repeats what had no answer a few times, then leaves it in doubt. */
  async function ask(method: string, route: string, { key, query = {}, body }: Asked): Promise<Outcome<any>> {
    const isForm = body instanceof FormData;
    const request = {
      method,
      headers: {
        'X-Api-Key': apiKey,
        ...(key && { 'Idempotency-Key': key }),
        ...(body && !isForm && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    };
    let why = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await once(`http://lectern${route}?${new URLSearchParams(query)}`, request);
      if (answer && !isTemporary(answer.status, answer.body)) {
        const { status, body } = answer;
        return status < 300 ? { kind: 'done', value: body } : { kind: 'refused', status, body };
      }
      why = answer ? `answered ${answer.status}` : 'no connection';
      const wanted = Math.min(answer?.retryAfter ?? 0, LONGEST_PAUSE_S);
      await delay(1_000 * wanted + random.below(200 * 2 ** attempt));
    }
    return { kind: 'doubt', why };
  }

  async function once(url: string, request: RequestInit) {
    try {
      const response = await traffic.fetch(url, request);
      const text = await response.text();
      const retryAfter = (readRetryAfter(response.headers.get('Retry-After')) ?? 0) / 1_000;
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text), retryAfter };
    } catch {
      return undefined;
    }
  }

  return {
    kind: 'REST',
    createDocument: (key, { datasetIds, ...document }) =>
      ask('POST', DOCUMENTS, {
        key,
        query: { tenantId: document.tenantId, datasetIds: JSON.stringify(datasetIds) },
        body: { documentType: 'url' in document ? 'UnstructuredWebpage' : 'UnstructuredFile', ...document },
      }),
    uploadDocument(key, { tenantId, tenantUnitId, datasetIds, file }) {
      const body = new FormData();
      for (const [name, value] of Object.entries({ tenantId, tenantUnitId })) body.set(name, value);
      body.set('documentType', 'UnstructuredFile');
      body.set('datasetIds', JSON.stringify(datasetIds));
      body.set('file', new Blob([file.bytes], { type: file.mediaType }), file.fileName);
      return ask('POST', `${DOCUMENTS}/upload`, { key, body });
    },
    upsertDocument: (key, { datasetIds, ...document }) =>
      ask('PUT', `${DOUBLED}/byExternalId/${document.externalId}`, {
        key,
        query: {
          tenantId: document.tenantId,
          ...(datasetIds && { datasetIds: JSON.stringify(datasetIds) }),
        },
        body: document,
      }),
    changeDocument: (key, { tenantId }, id, { label, ...change }) =>
      ask('PATCH', `${DOCUMENTS}/${id}`, {
        key,
        query: { tenantId },
        body: { ...change, ...(label !== undefined && { customProperties: { label } }) },
      }),
    toggleDocument: (key, { tenantId }, id, enabled) =>
      ask('PATCH', `${DOCUMENTS}/${id}/toggle`, { key, query: { tenantId }, body: { enabled } }),
    deleteDocument: (key, { tenantId }, id) =>
      ask('DELETE', `${DOCUMENTS}/${id}`, { key, query: { tenantId } }),
    async readDocument({ tenantId }, id) {
      const outcome = await ask('GET', `${DOCUMENTS}/${id}`, { query: { tenantId } });
      return ifPresent(
        outcome,
        ({ status, enabled, customProperties }): DocumentState => ({
          status,
          enabled,
          label: customProperties?.label,
        }),
      );
    },
    // REST has none.
    async readWarnings({ tenantId }, id) {
      const input = JSON.stringify({ scope: { tenantId }, documentIds: [id] });
      const outcome = await ask('GET', '/trpc/documents.getMany', { query: { input } });
      if (outcome.kind !== 'done') return outcome;
      return { kind: 'done', value: codesOf(outcome.value.result.data) };
    },
    async listChunks({ tenantId }, id) {
      const query = { tenantId, pageSize: String(PAGE_SIZE) };
      return ifPresent(await ask('GET', `${DOUBLED}/${id}/documentChunks/`, { query }), ({ data }) => data);
    },
    editChunk: (key, { tenantId }, id, chunkId, content) =>
      ask('PATCH', `${DOUBLED}/${id}/documentChunks/${chunkId}`, {
        key,
        query: { tenantId },
        body: { content },
      }),
    switchChunk: (key, query, id, chunkId, status) =>
      ask('PATCH', `${DOUBLED}/${id}/documentChunks/${chunkId}/status`, {
        key,
        query: { tenantId: query.tenantId, tenantUnitId: query.tenantUnitId },
        body: { status },
      }),
    deleteChunks: (key, { tenantId }, id, documentChunkIds) =>
      ask('DELETE', `${DOCUMENTS}/${id}/documentChunks/batch`, {
        key,
        query: { tenantId },
        body: { documentChunkIds },
      }),
    createConversation: (key, place, topic) =>
      ask('POST', CONVERSATIONS, { key, query: toQuery(place), body: { topic } }),
    renameConversation: (key, place, id, topic) =>
      ask('PATCH', `${CONVERSATIONS}/${id}`, { key, query: toQuery(place), body: { topic } }),
    setConversationStatus: (key, place, id, status) =>
      ask('PATCH', `${CONVERSATIONS}/${id}/status`, { key, query: toQuery(place), body: { status } }),
    deleteConversation: (key, _place, id) => ask('DELETE', `${CONVERSATIONS}/${id}`, { key }),
    async readConversation(place, id) {
      const outcome = await ask('GET', `${CONVERSATIONS}/${id}`, { query: toQuery(place) });
      return ifPresent(outcome, ({ topic, status }) => ({ topic, status }));
    },
  };
}

const toQuery = ({ tenantId, tenantUnitId }: { tenantId: string; tenantUnitId: string }) => ({
  tenant_id: tenantId,
  tenant_unit_id: tenantUnitId,
});

function ifPresent<T>(outcome: Outcome<any>, read: (body: any) => T): Outcome<T | undefined> {
  if (outcome.kind === 'refused' && outcome.status === 404) return { kind: 'done', value: undefined };
  return outcome.kind === 'done' ? { kind: 'done', value: read(outcome.value) } : outcome;
}
