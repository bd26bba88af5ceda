import { randomUUID } from 'node:crypto';
import type { HttpClient } from '../../search/http-client.js';
import { createChunks, createDocument, SCOPE, search } from './requests.js';
import type { Loads } from './usual-loads.js';

/** Just below the limit of a JSON body. */
const LARGEST = 16 * 1024 * 1024 - 4096;
const QUESTION = 10_000;
const LISTED = 100;
const LISTED_BYTES = 90 * 1024;

const repeat = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));

/** Requests that are as large as the limits let them be, and made to take long. */
export async function hostileLoads(http: HttpClient): Promise<Loads> {
  const words = { Latin: 'a ', Arabic: '\ufdfa ' };
  for (const [datasetId, unit] of Object.entries(words)) {
    const bytes = Buffer.byteLength(unit) / unit.length;
    await createChunks(http, datasetId, repeat(unit, LARGEST / bytes));
  }
  for (let made = 0; made < LISTED; made++)
    await http.post('/admin/api/v2/conversations?tenant_id=large', { inputs: widest(LISTED_BYTES) });
  const create = (text: string) => createDocument(http, 'other', text);
  return {
    'searches for the one word of 16 MB': async () => {
      for (const [datasetId, unit] of Object.entries(words))
        await search(http, datasetId, repeat(unit, QUESTION));
    },
    'one call with 100 documents of 400 properties': () => createMany(http, 100, properties(400, 20)),
    'one call with 60 documents of 250 KB of properties': () =>
      createMany(http, 60, { text: 'x'.repeat(250_000) }),
    'a body with a field name of 15 MB': () =>
      http.post('/admin/api/v2/conversations?tenant_id=acme', { ['x'.repeat(15_000_000)]: 1 }),
    'documents of 16 MB, ASCII': (round) => create(String(round).padEnd(LARGEST, 'x')),
    'documents of 16 MB, Chinese': (round) => create(String(round).padEnd(LARGEST / 3 - 10, '\u4e2d')),
    'documents of 16 MB, escaped': (round) => create(String(round).padEnd(LARGEST / 2 - 10, '\n')),
    'pages of 100 conversations with 90 KB each': async () => {
      await http.get('/admin/api/v2/conversations?tenant_id=large&page_size=100');
      const input = encodeURIComponent(JSON.stringify({ scope: { tenantId: 'large' }, pageSize: LISTED }));
      await http.get(`/trpc/conversations.list?input=${input}`);
    },
  };
}

const createMany = (http: HttpClient, count: number, customProperties: object) =>
  http.send(
    'POST',
    '/trpc/documents.createMany',
    { scope: SCOPE, documents: Array.from({ length: count }, () => ({ customProperties })) },
    { 'idempotency-key': randomUUID() },
  );

const properties = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`property ${i}`, 'x'.repeat(length)]));

/** As many values as that many bytes of JSON may have, about. */
const widest = (bytes: number) => properties(Math.min(9_000, Math.floor(bytes / 30)), 8);
