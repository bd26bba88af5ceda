import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '../../search/http-client.js';

export const SCOPE = { tenantId: 'acme', tenantUnitId: 'unit' };
export const DOCUMENTS = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1';
const POLL_MS = 200;

export const chunksOf = (documentId: string) => `${DOUBLED}/documents/${documentId}/documentChunks/`;

export const createDocument = (http: HttpClient, datasetId: string, documentContent: string) =>
  http.post(`${DOCUMENTS}?tenantId=acme&datasetIds=${encodeURIComponent(JSON.stringify([datasetId]))}`, {
    ...SCOPE,
    documentType: 'UnstructuredFile',
    documentContent,
  });

/** Creates a document and waits until it has its chunks, of which it returns some. */
export async function createChunks(
  ...document: Parameters<typeof createDocument>
): Promise<{ id: string; chunkIds: string[] }> {
  const [http] = document;
  const { id } = (await createDocument(...document)).body as { id: string };
  for (;;) {
    const { status } = (await http.get(`${DOCUMENTS}/${id}?tenantId=acme`)).body as { status: string };
    if (status === 'failed') throw new Error('A document could not be processed.');
    if (status === 'ready') break;
    await delay(POLL_MS);
  }
  const chunks = await http.get(`${chunksOf(id)}?tenantId=acme`);
  return { id, chunkIds: (chunks.body as { data: { id: string }[] }).data.map((chunk) => chunk.id) };
}

export const search = (http: HttpClient, datasetId: string, query: string) =>
  http.post(`${DOUBLED}/documentChunks/search?tenantId=acme`, {
    tenant_id: SCOPE.tenantId,
    tenant_unit_id: SCOPE.tenantUnitId,
    dataset_ids: [datasetId],
    query,
  });
