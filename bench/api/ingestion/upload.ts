import { setTimeout as delay } from 'node:timers/promises';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../../src/routers/index.js';
import type { HttpClient } from '../../search/http-client.js';
import { readSample, type Sample } from './samples.js';

export const PLACE = { tenantId: 'bench', tenantUnitId: 'bench' };
const POLL_MS = 10;
const DOCUMENTS = '/admin/api/v1/documents';

export const createTrpcClient = (address: string) =>
  createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address}/trpc` })] });

/** Uploads a file and waits until it is ready. */
export async function ingestFile(
  address: string,
  sample: Sample,
): Promise<{ milliseconds: number; chunks: number }> {
  const form = new FormData();
  const fields = { ...PLACE, documentType: 'UnstructuredFile', datasetIds: 'bench' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', await readSample(sample));
  const begin = performance.now();
  const answer = await fetch(`${address}${DOCUMENTS}/upload`, { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`${sample.name}: ${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  const { documents } = createTrpcClient(address);
  for (;;) {
    const { status, chunkCount, error } = await documents.get.query({
      scope: { tenantId: PLACE.tenantId },
      documentId: id,
    });
    if (status === 'ready') return { milliseconds: performance.now() - begin, chunks: chunkCount };
    if (status === 'failed') throw new Error(`${sample.name}: ${error?.message}`);
    await delay(POLL_MS);
  }
}

/** Creates documents by several callers and waits until all are ready. */
export async function ingestTexts(
  http: HttpClient,
  address: string,
  { texts, callers }: { texts: string[]; callers: number },
): Promise<{ milliseconds: number }> {
  const waiting = [...texts];
  const create = async () => {
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
      await http.post(`${DOCUMENTS}?tenantId=${PLACE.tenantId}`, {
        ...PLACE,
        documentType: 'UnstructuredFile',
        documentContent: text,
        datasetIds: ['bench'],
      });
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: callers }, create));
  const { documents } = createTrpcClient(address);
  const unfinished = { scope: PLACE, pageSize: 1, statuses: ['created', 'processing'] };
  while ((await documents.list.query(unfinished)).totalCount > 0) await delay(POLL_MS);
  const { totalCount } = await documents.list.query({ scope: PLACE, pageSize: 1, statuses: ['failed'] });
  if (totalCount > 0) throw new Error(`${totalCount} documents failed.`);
  return { milliseconds: performance.now() - begin };
}
