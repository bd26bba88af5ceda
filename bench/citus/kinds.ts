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
  /** The goal: CPU of the cluster as a multiple of that of one server. Without one, it is for comparison. */
  atMost?: number;
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
    async send({ http }, n) {
      const { body } = await http.post(`/admin/api/v1/api/v1/documentChunks/search?tenantId=${tenantOf(n)}`, {
        tenant_id: tenantOf(n),
        tenant_unit_id: UNIT,
        dataset_ids: ['faq'],
        query: ['refund of a season card', 'repair under warranty', 'address of the carrier'][n % 3],
        top_k: 10,
      });
      if ((body as unknown[]).length === 0) throw new Error('A search has found nothing.');
    },
  },
  {
    what: 'append of a message (SQL)',
    atMost: 1.6,
    async send(place, n) {
      const client = await clientOf(place);
      await appendMessage(client, { tenant: tenantOf(n), conversation: idsOf(place, n).conversation });
    },
  },
  {
    what: 'commit of two writes to a shard (SQL)',
    share: 5,
    send: (place, n) => commit(place, writeToShard(place, n), writeToShard(place, n + TENANTS.length)),
  },
  {
    what: 'commit of a write to a shard and one to the coordinator (SQL)',
    share: 5,
    send: (place, n) => commit(place, writeToShard(place, n), writeToCoordinator(n)),
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

const writeToShard = (place: Place, n: number) => ({
  name: 'shard',
  text: 'update conversations set topic = topic where tenant_id = $1 and id = $2',
  values: [tenantOf(n), idsOf(place, n).conversation],
});

const writeToCoordinator = (n: number) => ({
  name: 'coordinator',
  text: `insert into embedding_usage (tenant_id, texts, tokens) values ($1, 1, 1)
    on conflict (tenant_id) do update set texts = embedding_usage.texts + 1`,
  values: [tenantOf(n)],
});

async function commit(place: Place, ...writes: pg.QueryConfig[]): Promise<void> {
  const client = await clientOf(place);
  await client.query('begin');
  for (const write of writes) await client.query(write);
  await client.query('commit');
}

function clientOf({ postgres: { url } }: Place): Promise<pg.Client> {
  const client = clients.get(url) ?? connect(url);
  clients.set(url, client);
  return client;
}

/** Ended with the server. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}
