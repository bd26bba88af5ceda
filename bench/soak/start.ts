import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { permissions } from '../../src/auth/permissions.js';
import { type Server, startServer } from '../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createLectern, type Lectern } from '../../src/client/index.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { eventTypes } from '../../src/webhook-delivery/events.js';

const REPORT_MEMORY = fileURLToPath(new URL('./report-memory.js', import.meta.url));
const TENANTS = ['red', 'green', 'blue', 'grey'];
export const UNIT = 'unit';

export interface Tenant {
  id: string;
  lectern: Lectern;
}

export interface Site {
  tenants: Tenant[];
  api: Server;
  worker: Server;
  pool: pg.Pool;
  /** Events that the consumer of all webhooks has received. */
  received: () => number;
}

/** Starts PostgreSQL, an API process and a worker, as they are deployed, and a consumer of webhooks. */
export async function startSite(cleanups: (() => unknown)[]): Promise<Site> {
  const { dataDir, remove } = await makeDataDir('soak');
  cleanups.push(remove);
  const { url, stop } = await startEmbedded({ dataDir });
  cleanups.push(stop);
  await migrateToLatest(url);
  const pool = new pg.Pool({ connectionString: url, max: 4, types: { getTypeParser } });
  cleanups.push(() => pool.end());
  const consumer = await startConsumer();
  cleanups.push(consumer.stop);
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    AUTH_MODE: 'required',
    FETCH_ALLOW_HOSTS: consumer.host,
    RATE_LIMIT_KEY_REQUESTS: '1000000/60',
    RATE_LIMIT_TENANT_REQUESTS: '1000000/60',
    RETENTION_INTERVAL_MINUTES: '1',
  };
  const start = async (role: string) => {
    const server = await startServer({ env: { ...env, ROLE: role }, preload: [REPORT_MEMORY] });
    cleanups.push(server.stop);
    return server;
  };
  const [api, worker] = [await start('api'), await start('worker')];
  const tenants = await createTenants(url, api.address);
  for (const { id, lectern } of tenants) {
    await lectern.trpc.webhooks.create.mutate({
      scope: { tenantId: id },
      url: consumer.url,
      eventTypes: [...eventTypes],
    });
  }
  return { tenants, api, worker, pool, received: consumer.received };
}

async function createTenants(url: string, address: string): Promise<Tenant[]> {
  const { db, close } = connectDatabase(url, { max: 1 });
  const apiKeys = createApiKeys({
    db,
    writeTransaction: createWriteTransaction(db),
    clock: () => new Date(),
    maxPageSize: 1,
  });
  const tenants: Tenant[] = [];
  for (const id of TENANTS) {
    const { key } = await apiKeys.create(
      { scope: { tenantId: id }, name: 'soak', scopes: [...permissions] },
      { userId: undefined },
    );
    tenants.push({ id, lectern: createLectern({ url: address, apiKey: key, retry: false }) });
  }
  await close();
  return tenants;
}

async function startConsumer() {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1;
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/events`,
    received: () => received,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const INT8 = 20;
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
