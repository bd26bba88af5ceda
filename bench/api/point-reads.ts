import type { Answer } from '../search/http-client.js';
import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { getConversation, getDocument } from './support/reads.js';
import { BARE_HTTP, BY_HAND, TRPC_TO_OPENAPI } from './support/rivals.js';
import { withServers } from './support/with-servers.js';

const targets = { [BY_HAND.name]: { atMost: 1.25 }, [TRPC_TO_OPENAPI.name]: { atMost: 1 } };

const requests: ComparedRequest[] = [
  {
    what: 'GET of a conversation',
    send: async (http, n) => withETag(await getConversation(http, n)),
    targets,
  },
  {
    what: 'GET of a document',
    send: async (http, n) => withETag(await getDocument(http, n)),
    targets,
  },
];

const withETag = ({ body, headers }: Answer) => ({ body, etag: headers.etag });

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
