import pg from 'pg';
import type { Postgres } from '../../test/chaos/topology/postgres.js';
import type { MeasuredServer } from '../api/support/measured-server.js';
import type { HttpClient } from '../search/http-client.js';
import { AGENT, appendMessage, createDocument, made, TENANTS, UNIT, untilReady } from './fill.js';

interface Place {
  http: HttpClient;
  service: MeasuredServer;
  postgres: Postgres;
}

/** A kind of request. */
export interface Kind {
  what: string;
  /** The goal: CPU of the cluster as a multiple of that of one server. */
  atMost: number;
  /** Of the requests of a round; default all. */
  share?: number;
  /** Sends the n-th. */
  send(place: Place, n: number): Promise<unknown>;
  /** Waits for what the requests of a round have begun. */
  settle?(place: Place): Promise<void>;
}

const tenantOf = (n: number) => TENANTS[n % TENANTS.length] as string;
const idsOf = ({ service }: Place, n: number) => {
  const { conversations = [], documents = [] } = made.get(`${service.address} ${tenantOf(n)}`) ?? {};
  return {
    conversation: conversations[n % conversations.length] as string,
    document: documents[n % documents.length] as string,
  };
};
const clients = new Map<string, Promise<pg.Client>>();

export const KINDS: Kind[] = [
  {
    what: 'GET of a conversation',
    atMost: 1.6,
    send: (place, n) =>
      place.http.get(`/admin/api/v2/conversations/${idsOf(place, n).conversation}?tenant_id=${tenantOf(n)}`),
  },
  {
    what: 'GET of a document',
    atMost: 1.6,
    send: (place, n) =>
      place.http.get(`/admin/api/v1/documents/${idsOf(place, n).document}?tenantId=${tenantOf(n)}`),
  },
  {
    what: 'list of conversations',
    atMost: 1.6,
    send: ({ http }, n) =>
      http.get(`/admin/api/v2/conversations?tenant_id=${tenantOf(n)}&tenant_unit_id=${UNIT}&page_size=20`),
  },
  {
    what: 'list of documents',
    atMost: 1.6,
    send: ({ http }, n) =>
      http.get(`/admin/api/v1/documents?tenantId=${tenantOf(n)}&tenantUnitId=${UNIT}&pageSize=20`),
  },
  {
    what: 'search',
    atMost: 1.3,
    send: ({ http }, n) =>
      http.post(`/admin/api/v1/api/v1/documentChunks/search?tenantId=${tenantOf(n)}`, {
        tenant_id: tenantOf(n),
        tenant_unit_id: UNIT,
        dataset_ids: ['faq'],
        query: ['refund of a season card', 'repair under warranty', 'address of the carrier'][n % 3],
        top_k: 10,
      }),
  },
  {
    what: 'append of a message (SQL)',
    atMost: 1.6,
    async send(place, n) {
      const { url } = place.postgres;
      const client = clients.get(url) ?? connect(url);
      clients.set(url, client);
      await appendMessage(await client, { tenant: tenantOf(n), conversation: idsOf(place, n).conversation });
    },
  },
  {
    what: 'POST of a conversation',
    atMost: 1.6,
    send: ({ http }, n) =>
      http.post(`/admin/api/v2/conversations?tenant_id=${tenantOf(n)}&tenant_unit_id=${UNIT}`, {
        agent_id: AGENT,
      }),
  },
  {
    what: 'ingestion of a document',
    atMost: 1.3,
    share: 0.4,
    send: ({ http }, n) => createDocument(http, tenantOf(n), n),
    async settle({ service }) {
      for (const tenant of TENANTS) await untilReady(service.address, tenant);
    },
  },
];

/** Ended with the server. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}
