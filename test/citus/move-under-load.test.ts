import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { query } from '../chaos/topology/join-cluster.js';
import { CONVERSATIONS, DOCUMENTS, SEARCH, TENANT, TENANT_UNIT } from '../integration/support/rest-client.js';
import { type RequestOptions, useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';

/* The shard of a tenant moves to and fro while it reads and writes all that it has. */

const app = useApp();
const MOVES = 3;
const MOST_TRIES = 10;
const UNIT = { tenant_id: TENANT_UNIT.tenantId, tenant_unit_id: TENANT_UNIT.tenantUnitId };
const superuser = (sql: string) => query(app.databaseUrl, sql);

/** As a client does it: again, if the answer is 503 with `Retry-After`. Any other error fails. */
async function send(method: string, route: string, options: RequestOptions): Promise<any> {
  for (let tries = 1; ; tries++) {
    const { status, headers, body } = await app.request(method, route, options);
    if (status < 300) return body;
    expect({ route, tries, status, body }).toMatchObject({ status: 503 });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(tries).toBeLessThan(MOST_TRIES);
  }
}

/** What a move leaves of the shard is removed once nobody reads it, and is in the way of a move back. */
async function hasNoRemains(): Promise<boolean> {
  await superuser('call citus_cleanup_orphaned_resources()');
  return (await superuser('select from pg_dist_cleanup')).rowCount === 0;
}

/** Each round of a client writes, and reads what it has written. */
function startClients(clients: ((round: number) => Promise<void>)[]) {
  const rounds = clients.map(() => 0);
  let isOver = false;
  const ended = Promise.all(
    clients.map(async (client, place) => {
      for (; !isOver; rounds[place]!++) await client(rounds[place]!);
    }),
  );
  ended.catch(() => {});
  return {
    rounds,
    /** Until all of them have had further rounds; fails at once where one has failed. */
    async untilFurther(more: number): Promise<void> {
      const wanted = rounds.map((round) => round + more);
      const isFurther = () => rounds.every((round, place) => round >= wanted[place]!);
      await Promise.race([waitFor(isFurther, { what: 'further rounds' }), ended]);
    },
    async stop() {
      isOver = true;
      await ended;
    },
  };
}

test('nothing is lost, and every read is right', async () => {
  const { id } = await send('POST', CONVERSATIONS, { query: UNIT, body: { topic: 'first' } });
  const conversation = `${CONVERSATIONS}/${id}`;
  const read = (route: string, page = 1) => send('GET', route, { query: { ...UNIT, page_size: 100, page } });
  const messages: string[] = [];

  const clients = startClients([
    async (round) => {
      const topic = `Topic ${round}`;
      await send('PATCH', conversation, { query: UNIT, body: { topic } });
      expect((await read(conversation)).topic).toBe(topic);
    },
    // As a runtime of agents does, which writes messages by itself.
    async (round) => {
      messages.push(randomUUID());
      await superuser(
        `insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from, content, requested_time)
         values ('${messages.at(-1)}', '${UNIT.tenant_id}', '${UNIT.tenant_unit_id}', '${id}', 'agent', 'user', 'run', 'user', 'Message ${round}', now())`,
      );
      const { data } = await read(`${conversation}/messages`, Math.floor(round / 100) + 1);
      expect(data.map((one: { content: string }) => one.content)).toContain(`Message ${round}`);
    },
    async (round) => {
      const body = {
        ...TENANT_UNIT,
        documentType: 'UnstructuredFile',
        documentName: `Document ${round}`,
        documentContent: `The heron${round} stands in the reed.`,
      };
      // Found by the next search.
      await send('POST', DOCUMENTS, {
        query: { ...TENANT, datasetIds: '["faq"]' },
        headers: { prefer: 'wait=60', 'idempotency-key': randomUUID() },
        body,
      });
      const found = await send('POST', SEARCH, {
        query: TENANT,
        body: { ...UNIT, dataset_ids: ['faq'], query: `heron${round}` },
      });
      expect(found.map(({ content }: { content: string }) => content)).toContain(body.documentContent);
    },
  ]);

  await clients.untilFurther(2);
  for (let move = 1; move <= MOVES; move++) {
    await waitFor(hasNoRemains, { what: 'the former place of the shard to be removed', intervalMs: 200 });
    await superuser(
      `select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport)
       from citus_shards as s join pg_dist_node as n on n.groupid <> 0 and n.nodeport <> s.nodeport
       where s.shardid = get_shard_id_for_distribution_column('documents', '${UNIT.tenant_id}') limit 1`,
    );
    await clients.untilFurther(2);
  }
  // One node has more shards now.
  await superuser('select citus_rebalance_start()');
  const isRebalanced = async () => {
    const { rows } = await superuser('select state from citus_rebalance_status()');
    expect(rows).not.toContainEqual({ state: 'failed' });
    return rows[0]?.state === 'finished';
  };
  await waitFor(isRebalanced, { what: 'the shards to be spread evenly', intervalMs: 200 });
  await clients.untilFurther(2);
  await clients.stop();

  const [, , documents] = clients.rounds;
  const list = await send('GET', DOCUMENTS, { query: { ...TENANT, pageSize: 1 } });
  expect(list.pagination.totalCount).toBe(documents);
  const { rows } = await superuser('select id from messages order by requested_time');
  expect(rows.map((row) => row.id)).toEqual(messages);
});
