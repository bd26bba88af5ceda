import { startEmbedded } from '../../../db/embedded.js';
import { quantile } from '../../../src/cli/eval/quantile.js';
import { startServer } from '../../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../../src/cli/shared/data-dir.js';
import { createHttpClient, type HttpClient } from '../../search/http-client.js';
import type { BenchmarkOptions, Comparison, Question } from '../question.js';
import type { MonitorMessage } from './monitor.js';
import { chineseText, spacedText } from './texts.js';

const MONITOR = new URL('./monitor.js', import.meta.url).href;
/** The longest that other requests may wait for one piece of work. */
const TARGET_MS = 20;
/** The longest text of a chunk. */
const LONGEST = 32_768;
const SCOPE = { tenantId: 'acme', tenantUnitId: 'unit' };
const DOCUMENTS = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1';

export const eventLoop: Question = {
  name: 'event-loop',
  title:
    'The longest block of the event loop, in CPU time of its thread, while requests of all kinds are answered',

  async measure(options) {
    const { dataDir, remove } = await makeDataDir('bench');
    const database = await startEmbedded({ dataDir });
    const server = await startServer({
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, DATA_DIR: dataDir },
      preload: [MONITOR],
    });
    const http = createHttpClient(server.address);
    let longestMs = 0;
    server.process.on('message', ({ blockedMs }: MonitorMessage) => {
      longestMs = Math.max(longestMs, blockedMs);
    });
    const takeLongest = () => {
      const longest = longestMs;
      longestMs = 0;
      return longest;
    };
    try {
      return await measureLoads(http, takeLongest, options);
    } finally {
      http.close();
      await server.stop();
      await database.stop();
      await remove();
    }
  },
};

async function measureLoads(
  http: HttpClient,
  takeLongest: () => number,
  { rounds, log }: BenchmarkOptions,
): Promise<Comparison[]> {
  const chunk = await createChunk(http);
  const loads: Record<string, (round: number) => Promise<unknown>> = {
    'edits of the longest chunks': async (round) => {
      for (const content of [spacedText(LONGEST, round), chineseText(LONGEST, round)])
        await http.send('PATCH', `${chunksOf(chunk.documentId)}${chunk.id}?tenantId=acme&tenantUnitId=unit`, {
          content,
        });
    },
    'inline documents of 1 MB': (round) =>
      http.post(`${DOCUMENTS}?tenantId=acme`, {
        ...SCOPE,
        documentType: 'UnstructuredFile',
        datasetIds: ['faq'],
        documentContent: spacedText(1_000_000, round),
      }),
    'searches with 100 words': (round) =>
      http.post(`${DOUBLED}/documentChunks/search?tenantId=acme`, {
        tenant_id: SCOPE.tenantId,
        tenant_unit_id: SCOPE.tenantUnitId,
        dataset_ids: ['faq'],
        query: spacedText(600, round),
      }),
    'lists of documents and conversations': async () => {
      await http.get(`${DOCUMENTS}?tenantId=acme&pageSize=100`);
      await http.get('/admin/api/v2/conversations?tenant_id=acme&page_size=100');
    },
  };
  const comparisons: Comparison[] = [];
  for (const [what, load] of Object.entries(loads)) {
    log(what);
    await load(-1);
    const longest: number[] = [];
    for (let round = 0; round < rounds; round++) {
      takeLongest();
      await load(round);
      await http.get('/healthz');
      longest.push(takeLongest());
    }
    const ours = quantile(longest, 0.5);
    comparisons.push({
      what,
      rival: 'the limit',
      unit: 'ms of CPU',
      ours,
      theirs: TARGET_MS,
      ratio: ours / TARGET_MS,
      target: { atMost: 1 },
    });
  }
  return comparisons;
}

const chunksOf = (documentId: string) => `${DOUBLED}/documents/${documentId}/documentChunks/`;

async function createChunk(http: HttpClient): Promise<{ documentId: string; id: string }> {
  const { body } = await http.post(`${DOCUMENTS}?tenantId=acme`, {
    ...SCOPE,
    documentType: 'UnstructuredFile',
    datasetIds: ['faq'],
    documentContent: 'A chunk that is edited.',
  });
  const { id: documentId } = body as { id: string };
  for (;;) {
    const { body } = await http.get(`${chunksOf(documentId)}?tenantId=acme`);
    const [chunk] = (body as { data: { id: string }[] }).data;
    if (chunk) return { documentId, id: chunk.id };
  }
}
