import type { Question } from './question.js';
import { type ComparedRequest, compareCpu } from './support/compare-cpu.js';
import { conversationInput, encodeInput, getConversationOverTrpc } from './support/reads.js';
import { BARE_TRPC, TRPC_ON_EXPRESS } from './support/rivals.js';
import { withServers } from './support/with-servers.js';

const BATCH = 10;
const targets = { [BARE_TRPC.name]: { atMost: 1.25 }, [TRPC_ON_EXPRESS.name]: { atMost: 1.25 } };

const requests: ComparedRequest[] = [
  {
    what: 'conversations.get',
    send: async (http, n) => (await getConversationOverTrpc(http, n)).body,
    targets,
  },
  {
    what: 'conversations.get, a batch of ten',
    send: async (http, n) => {
      const calls = Array(BATCH).fill('conversations.get').join(',');
      const inputs = Object.fromEntries(
        Array.from({ length: BATCH }, (_, i) => [i, conversationInput(n * BATCH + i)]),
      );
      return (await http.get(`/trpc/${calls}?batch=1&input=${encodeInput(inputs)}`)).body;
    },
    targets,
  },
];

export const trpc: Question = {
  name: 'trpc',
  title: 'CPU of the server a tRPC request',
  measure: (options) =>
    withServers([BARE_TRPC, TRPC_ON_EXPRESS], async (servers) => {
      const comparisons = [];
      for (const request of requests) comparisons.push(...(await compareCpu(request, servers, options)));
      return comparisons;
    }),
};
