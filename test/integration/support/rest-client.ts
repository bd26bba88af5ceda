import { expect } from 'vitest';
import type { RequestOptions, useApp } from '../../support/app.js';

export type TestApp = ReturnType<typeof useApp>;

export const CONVERSATIONS = '/admin/api/v2/conversations';
export const DOCUMENTS = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1';
export const SEARCH = `${DOUBLED}/documentChunks/search`;
export const chunksPath = (documentId: string) =>
  `${DOUBLED}/documents/${encodeURIComponent(documentId)}/documentChunks/`;
export const externalPath = (externalId: string) =>
  `${DOUBLED}/documents/byExternalId/${encodeURIComponent(externalId)}`;

/** Default tenant and unit of tests. */
export const TENANT_UNIT = { tenantId: 'acme', tenantUnitId: 'sales' };
export const TENANT = { tenantId: TENANT_UNIT.tenantId };

export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

type Fields = Record<string, unknown>;

/** Short REST calls for tests. Each asserts its status. */
export function createRestClient(app: TestApp) {
  async function call(status: number, method: string, route: string, options: RequestOptions = {}) {
    const answer = await app.request(method, route, options);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: answer.body });
    return answer.body;
  }

  const place = ({ tenantId = TENANT_UNIT.tenantId, tenantUnitId = TENANT_UNIT.tenantUnitId }: Fields) =>
    ({ tenantId, tenantUnitId }) as typeof TENANT_UNIT;

  return {
    call,

    createDocument: (fields: Fields = {}, datasetIds: string[] = []) =>
      call(200, 'POST', DOCUMENTS, {
        query: { tenantId: place(fields).tenantId, datasetIds: JSON.stringify(datasetIds) },
        body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', ...fields },
      }),

    upload(bytes: string | Uint8Array<ArrayBuffer>, fileName: string, fields: Record<string, string> = {}) {
      const body = new FormData();
      for (const [name, value] of Object.entries({
        ...TENANT_UNIT,
        documentType: 'UnstructuredFile',
        datasetIds: '[]',
        ...fields,
      })) {
        body.set(name, value);
      }
      body.set('file', new File([bytes], fileName));
      return call(200, 'POST', `${DOCUMENTS}/upload`, { body });
    },

    upsert: (externalId: string, fields: Fields = {}, datasetIds?: string[]) =>
      call(200, 'PUT', externalPath(externalId), {
        query: {
          tenantId: place(fields).tenantId,
          datasetIds: datasetIds && JSON.stringify(datasetIds),
        },
        body: { externalId, ...TENANT_UNIT, ...fields },
      }),

    getDocument: (id: string, tenantId = TENANT_UNIT.tenantId) =>
      call(200, 'GET', `${DOCUMENTS}/${encodeURIComponent(id)}`, { query: { tenantId } }),

    patchDocument: (id: string, body: Fields, tenantId = TENANT_UNIT.tenantId) =>
      call(200, 'PATCH', `${DOCUMENTS}/${encodeURIComponent(id)}`, { query: { tenantId }, body }),

    async listChunks(id: string, tenantId = TENANT_UNIT.tenantId) {
      const page = await call(200, 'GET', chunksPath(id), { query: { tenantId, pageSize: 100 } });
      return page.data;
    },

    editChunk: (chunk: { id: string; documentId: string }, body: Fields) =>
      call(200, 'PATCH', `${chunksPath(chunk.documentId)}${chunk.id}`, { query: TENANT, body }),

    switchChunk: (chunk: { id: string; documentId: string }, status: string) =>
      call(200, 'PATCH', `${chunksPath(chunk.documentId)}${chunk.id}/status`, {
        query: TENANT_UNIT,
        body: { status },
      }),

    deleteChunks: (documentId: string, documentChunkIds: string[]) =>
      call(200, 'DELETE', `${DOCUMENTS}/${documentId}/documentChunks/batch`, {
        query: TENANT,
        body: { documentChunkIds },
      }),

    search: (query: string, fields?: Fields) => call(200, 'POST', SEARCH, searchRequest(query, fields)),

    /** Likewise the whole answer, whatever its status. */
    askSearch: (query: string, fields?: Fields) => app.request('POST', SEARCH, searchRequest(query, fields)),
  };
}

function searchRequest(query: string, fields: Fields = {}): RequestOptions {
  const { tenant_id = TENANT_UNIT.tenantId, tenant_unit_id = TENANT_UNIT.tenantUnitId } = fields;
  return {
    query: { tenantId: String(tenant_id) },
    body: { tenant_id, tenant_unit_id, dataset_ids: ['faq'], query, ...fields },
  };
}
