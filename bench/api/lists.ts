import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { listConversations, listDocuments } from './support/reads.js';
import { BARE_HTTP, BY_HAND, TRPC_TO_OPENAPI } from './support/rivals.js';
import { withServers } from './support/with-servers.js';

const targets = { [BY_HAND.name]: { atMost: 1.25 }, [TRPC_TO_OPENAPI.name]: { atMost: 1 } };

const requests: ComparedRequest[] = [
  {
    what: 'list of 20 conversations with message counts',
    send: async (http) => (await listConversations(http)).body,
    targets,
  },
  {
    what: 'list of 20 documents',
    send: async (http) => (await listDocuments(http)).body,
    targets,
  },
];

export const lists: Question = {
  name: 'lists',
  title: 'CPU of the server a list of 20 among 5,000',
  measure: (options) =>
    withServers([BY_HAND, BARE_HTTP, TRPC_TO_OPENAPI], async (servers) => {
      const comparisons = [];
      for (const request of requests) comparisons.push(...(await compareCpu(request, servers, options)));
      return comparisons;
    }),
};
