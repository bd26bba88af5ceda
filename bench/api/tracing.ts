import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { indexChunks } from './support/index-chunks.js';
import { getConversation, listDocuments, searchChunks } from './support/reads.js';
import { withServers } from './support/with-servers.js';

const WITHOUT_SPANS = fileURLToPath(new URL('./support/without-spans.js', import.meta.url));
/** The modules as they are before they are bundled: one of them is replaced. */
const entry = fileURLToPath(new URL('../../src/cli/lectern.js', import.meta.url));
const FOUND = 200;
const WITHOUT = 'without spans in the code';
const targets = { [WITHOUT]: { atMost: 1.02 } };

const requests: ComparedRequest[] = [
  {
    what: 'GET of a conversation',
    send: async (http, n) => (await getConversation(http, n)).body,
    targets,
  },
  {
    what: 'list of 20 documents',
    send: async (http) => (await listDocuments(http)).body,
    targets,
  },
  {
    what: `search among ${FOUND} chunks`,
    send: async (http) => (await searchChunks(http, 'when can goods be returned')).body,
    targets,
  },
];

/** Off, as it is without the variables, beside the same program without spans, and on. */
export const tracing: Question = {
  name: 'tracing',
  title: 'CPU of the server with tracing off, beside none and on',

  async measure(options) {
    const collector = createServer((request, response) => request.resume().on('end', () => response.end()));
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    const off = { ROLE: 'api' };
    const on = { ...off, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const sampled = {
      ...on,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    };
    const rivals = [
      { name: WITHOUT, env: off, entry, preload: [WITHOUT_SPANS] },
      { name: 'off again', env: off, entry },
      { name: 'on, 5 % sampled', env: sampled, entry },
      { name: 'on', env: on, entry },
    ];
    try {
      return await withServers(
        rivals,
        async ({ db, ...servers }) => {
          await indexChunks(db, FOUND);
          const comparisons = [];
          for (const request of requests) comparisons.push(...(await compareCpu(request, servers, options)));
          return comparisons;
        },
        { env: off, entry },
      );
    } finally {
      collector.closeAllConnections();
      collector.close();
    }
  },
};
