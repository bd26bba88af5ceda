import type { HttpClient } from '../search/http-client.js';
import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { conversationId, documentId, TENANT } from './support/fill-tenant.js';
import { BARE_HTTP, BY_HAND, TRPC_TO_OPENAPI } from './support/rivals.js';
import { withServers } from './support/with-servers.js';

const targets = { [BY_HAND.name]: { atMost: 1.25 }, [TRPC_TO_OPENAPI.name]: { atMost: 1 } };

const requests: ComparedRequest[] = [
  {
    what: 'GET of a conversation',
    send: (http, n) =>
      getWithETag(http, `/admin/api/v2/conversations/${conversationId(n)}?tenant_id=${TENANT}`),
    targets,
  },
  {
    what: 'GET of a document',
    send: (http, n) => getWithETag(http, `/admin/api/v1/documents/${documentId(n)}?tenantId=${TENANT}`),
    targets,
  },
];

async function getWithETag(http: HttpClient, path: string): Promise<unknown> {
  const { body, headers } = await http.get(path);
  return { body, etag: headers.etag };
}

export const pointReads: Question = {
  name: 'point-reads',
  title: 'CPU of the server a read of one record',
  measure: (options) =>
    withServers([BY_HAND, BARE_HTTP, TRPC_TO_OPENAPI], async (servers) => {
      const comparisons = [];
      for (const request of requests) comparisons.push(...(await compareCpu(request, servers, options)));
      return comparisons;
    }),
};
