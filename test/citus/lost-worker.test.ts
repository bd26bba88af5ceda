import { expect, test } from 'vitest';
import { query } from '../chaos/topology/join-cluster.js';
import {
  CONVERSATIONS,
  createRestClient,
  DOCUMENTS,
  TENANT_UNIT,
} from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { nodesOf } from '../support/cluster.js';

/* A worker that is lost in the middle of a commit, whose outcome nobody knows then. */

const app = useApp({ role: 'api' });
const { call, createDocument } = createRestClient(app);
const UNIT = { tenant_id: TENANT_UNIT.tenantId, tenant_unit_id: TENANT_UNIT.tenantUnitId };

const UNAVAILABLE = {
  detail: [{ loc: [], msg: 'The service is unavailable at the moment; try again.', type: 'unavailable' }],
};

/** Ends the worker's connection when a change of the tenant's rows is committed there, while something is done. */
async function whileCommitsAreLost<T>(table: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await query(
    app.databaseUrl,
    `select shard_name as shard, nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('${table}', '${UNIT.tenant_id}')`,
  );
  const { shard, port } = rows[0];
  const nodes = await nodesOf(app.databaseUrl);
  const worker = nodes.find((node) => new URL(node).port === String(port)) ?? '';
  await query(
    worker,
    `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;
     create or replace function lose() returns trigger language plpgsql as
       'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
     create constraint trigger lose after insert or update on ${shard}
       deferrable initially deferred for each row execute function lose()`,
  );
  try {
    return await work();
  } finally {
    await query(
      worker,
      `set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;
       drop trigger lose on ${shard}`,
    );
  }
}

test('a write of one worker is answered 503, and can be tried again', async () => {
  const { id } = await call(201, 'POST', CONVERSATIONS, { query: UNIT, body: { topic: 'old' } });
  const change = () =>
    app.request('PATCH', `${CONVERSATIONS}/${id}`, { query: UNIT, body: { topic: 'new' } });
  const lost = await whileCommitsAreLost('conversations', change);
  expect({ status: lost.status, body: lost.body }).toEqual({ status: 503, body: UNAVAILABLE });
  expect(lost.headers.get('retry-after')).toBe('2');
  expect(await change()).toMatchObject({ status: 200, body: { topic: 'new' } });
});

test('and so is a write that also queues a job, of which nothing is left', async () => {
  const create = () =>
    app.request('POST', DOCUMENTS, {
      query: { tenantId: UNIT.tenant_id },
      body: { ...TENANT_UNIT, documentType: 'UnstructuredFile', documentContent: 'Herons stand.' },
    });
  const lost = await whileCommitsAreLost('documents', create);
  expect({ status: lost.status, body: lost.body }).toEqual({ status: 503, body: UNAVAILABLE });
  expect(lost.headers.get('retry-after')).toBe('2');
  expect((await query(app.databaseUrl, 'select from processing_jobs')).rowCount).toBe(0);
  await createDocument({ documentContent: 'Herons stand.' });
  expect((await query(app.databaseUrl, 'select from processing_jobs')).rowCount).toBe(1);
});
