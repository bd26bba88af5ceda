import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { Meilisearch } from 'meilisearch';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrateToLatest } from '../../db/migrate.js';
import { migrationNames } from '../../db/migration-record.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createLectern } from '../../src/client/index.js';
import { startEmbeddingServer } from '../support/embedding-server.js';
import { startEngineServer } from '../support/engine-server.js';
import { createEmptyDatabase } from '../support/postgres.js';
import { startRerankServer } from '../support/rerank-server.js';
import { type Environment, startProgram } from '../support/run-command.js';
import { openSearchServer } from '../support/search-server.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { waitFor } from '../support/wait-for.js';

const MIGRATIONS = migrationNames().length;
const search = await openSearchServer();
const embedding = await startEmbeddingServer();
const reranking = await startRerankServer();
const extraction = await startEngineServer(() => ({ status: 405 }));
/** An address at which nobody listens. */
const closed = await findClosed();
let data: Awaited<ReturnType<typeof makeDataDir>>;
let external: Awaited<ReturnType<typeof createEmptyDatabase>>;
let server: ServerProcess;

const healthy = () => ({
  DATA_DIR: data.dataDir,
  MEILI_URL: search.config.url,
  MEILI_ADMIN_KEY: search.config.adminKey ?? '',
  MEILI_INDEX_PREFIX: search.config.prefix,
  EMBEDDING_URL: embedding.url,
  EMBEDDING_MODEL: 'words',
  RERANK_URL: reranking.url,
  RERANK_MODEL: 'worth',
  EXTRACTION_API: 'http',
  EXTRACTION_URL: extraction.url,
  EXTRACTION_LANGUAGES: 'en,de',
});

beforeAll(async () => {
  data = await makeDataDir('doctor');
  external = await createEmptyDatabase();
  server = await startServerProcess(healthy());
  const isReady = async () => (await (await fetch(`${server.address}/readyz`)).json()).search === 'ok';
  await waitFor(isReady, { what: 'the search index' });
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await Promise.all([search.close(), embedding.close(), reranking.close(), extraction.close()]);
  await external?.drop();
  await data?.remove();
});

async function findClosed(): Promise<string> {
  const free = createServer();
  await once(free.listen(0, '127.0.0.1'), 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  return `127.0.0.1:${port}`;
}

/** What is printed, without what depends on the machine. */
async function examine(env: Environment, ...args: string[]) {
  const { status, stdout, stderr } = await startProgram(['doctor', ...args], {
    EXTRACTION_API: 'none',
    ...env,
  }).ended;
  const report = stdout
    .replace(/^(ok|warning) +node .*\n/m, '')
    .replace(/^(ok|warning|problem) +disk .*\n/gm, '')
    .replace(/^(ok|warning|skipped) +open files .*\n/m, '')
    .replace(/\d+ warnings?\.\n$/, 'N warnings.\n')
    .replaceAll(data.dataDir, 'DATA_DIR')
    .replace(/lectern_tenant_[0-9a-f]+/g, 'ROLE')
    .replace(/lectern_empty_[0-9a-f]+/g, 'USER')
    .replace(/ +/g, ' ');
  return { status, report, stderr };
}

const lines = (...report: string[]) => `${report.join('\n')}\n`;

test('a server that lacks nothing', async () => {
  expect(await examine(healthy())).toEqual({
    status: 0,
    report: lines(
      'ok configuration Variables that are set: 11.',
      'ok access HOST is 127.0.0.1; callers need no API keys.',
      'ok data folder DATA_DIR can be written.',
      'ok database PostgreSQL 18.4 answers, encoding UTF8.',
      'ok database settings Nothing that is acknowledged is lost in a crash.',
      'ok connections A server with ROLE=all opens up to 24 of the 97 connections that PostgreSQL allows.',
      'ok rights The user lectern has all rights that the server needs.',
      `ok migrations All ${MIGRATIONS} migrations are applied.`,
      'ok keys Keys that were made in open mode: 0.',
      'ok token issuers None is configured: callers have API keys alone.',
      'ok console sign-in No provider has a clientId: people sign in with API keys alone.',
      'ok file storage DATA_DIR/files can be written, read and deleted from.',
      `ok search server Meilisearch 1.50.0 answers, with the index ${search.config.prefix}chunks.`,
      'ok search index All changes have reached it, or do so in time.',
      `ok embedding words at ${new URL(embedding.url).origin} embeds texts.`,
      `ok reranking ${new URL(reranking.url).origin} scores texts.`,
      `ok extraction a server at ${extraction.url} reads scans in en, de.`,
      'ok documents Documents that wait to be processed: 0; under way: 0.',
      'ok webhooks None fails, and nothing is overdue.',
      'ok clocks This machine and the database and the search server agree.',
      'ok parsers Files are parsed in processes of their own.',
      '',
      '0 problems, N warnings.',
    ),
    stderr: '',
  });
});

test('a key whose tokens the search server refuses', async () => {
  const withTokens = (key: object) => examine({ ...healthy(), MEILI_PUBLIC_URL: search.config.url, ...key });
  const answers = `ok search server Meilisearch 1.50.0 answers, with the index ${search.config.prefix}chunks.\n`;
  expect((await withTokens({})).report).toContain(answers);
  expect(await withTokens({ MEILI_TOKEN_KEY: 'x'.repeat(64) })).toMatchObject({
    status: 1,
    report: expect.stringContaining(
      'problem search server The search server refuses the tokens that MEILI_TOKEN_KEY signs. Compare it with what lectern search keys shows.\n',
    ),
  });
  const keys = await startProgram(['search', 'keys', 'create', '--json'], healthy()).ended;
  const { tokenKey } = JSON.parse(keys.stdout);
  expect((await withTokens({ MEILI_TOKEN_KEY: tokenKey.key })).report).toContain(answers);
});

test('with all of it compared, chunks that the search server has lost', async () => {
  const { addFile } = createLectern({ url: server.address });
  const scope = { tenantId: 'acme', tenantUnitId: 'sales' };
  const file = new Blob(['Herons stand in the reed.']);
  await addFile(file, { scope, datasetIds: ['faq'], documentType: 'UnstructuredFile', fileName: 'a.txt' });
  const index = new Meilisearch({ host: search.config.url, apiKey: search.config.adminKey ?? '' }).index(
    `${search.config.prefix}chunks`,
  );
  // The other one is the checkpoint.
  await waitFor(async () => (await index.getDocuments()).total === 2, { what: 'the chunk to be indexed' });
  expect((await examine(healthy(), '--deep')).report).toContain(
    'ok search index It has every chunk, and no other.\n',
  );
  const { results } = await index.getDocuments<{ id: string; unit?: string }>();
  for (const { id } of results) if (/-/.test(id)) await index.deleteDocuments([id]);
  await waitFor(async () => (await index.getDocuments()).total === 1, { what: 'the chunk to be gone' });
  const { status, report } = await examine(healthy(), '--deep');
  expect({ status, report }).toEqual({
    status: 1,
    report: expect.stringContaining(
      'problem search index It differs from the database: 1 chunks are missing, 0 outdated, 0 too many. Run lectern search verify --repair.\n',
    ),
  });
});

test('before the first start, nothing is made', async () => {
  const folder = path.join(data.dataDir, 'none');
  expect(await examine({ DATA_DIR: folder })).toEqual({
    status: 0,
    report: lines(
      'ok configuration Variables that are set: 2.',
      'ok access HOST is 127.0.0.1; callers need no API keys.',
      'ok data folder DATA_DIR/none is made when the server starts.',
      'ok database An embedded one is made in DATA_DIR/none when the server starts.',
      ...['database settings', 'connections', 'rights', 'migrations', 'keys'].map(noDatabase),
      'ok token issuers None is configured: callers have API keys alone.',
      'ok console sign-in No provider has a clientId: people sign in with API keys alone.',
      'ok file storage DATA_DIR/none/files is made with the first file.',
      'ok search server None is configured: PostgreSQL searches.',
      noDatabase('search index'),
      'ok embedding None is configured: searches go by words.',
      'ok reranking None is configured.',
      'ok extraction Scans are not read: EXTRACTION_API is none.',
      ...['documents', 'webhooks'].map(noDatabase),
      'skipped clocks There is no other clock to compare with.',
      'ok parsers Files are parsed in processes of their own.',
      '',
      '0 problems, N warnings.',
    ),
    stderr: '',
  });
  expect(existsSync(folder)).toBe(false);
});

const noDatabase = (check: string) => `skipped ${check} There is no database to look at.`;

test('nothing answers, and others can reach the server', async () => {
  const env = {
    HOST: '0.0.0.0',
    DATABASE_UR: 'postgres://…',
    MEILI_HOST: 'meilisearch',
    ROLE: 'worker',
    DATABASE_URL: `postgres://lectern@${closed}/lectern`,
    DATA_DIR: data.dataDir,
    STORAGE_URL: 's3://bucket/prefix',
    AWS_ENDPOINT_URL_S3: `http://${closed}`,
    ...{
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      MEILI_URL: `http://${closed}`,
      MEILI_API_KEY: 'key',
    },
    EMBEDDING_URL: `http://${closed}/v1`,
    EMBEDDING_MODEL: 'words',
    RERANK_URL: `http://${closed}`,
    EXTRACTION_API: 'tika',
    EXTRACTION_URL: `http://${closed}`,
  };
  const refused = `connect ECONNREFUSED ${closed}`;
  expect(await examine(env)).toMatchObject({
    status: 1,
    report: lines(
      'ok configuration Variables that are set: 13.',
      'warning configuration DATABASE_UR is not a variable of Lectern, and has no effect. Did you mean DATABASE_URL?',
      'warning configuration MEILI_HOST is not a variable of Lectern, and has no effect. See .env.example for all variables.',
      'problem access HOST is 0.0.0.0, which others can reach, and AUTH_MODE is not set: no server starts. Set AUTH_MODE=required, and make a key with lectern keys create.',
      'warning access HOST is 0.0.0.0, and no proxy is trusted: keys travel without TLS, or all clients have the address of the proxy. Put a proxy with TLS in front, and set TRUST_PROXY to the number of proxies.',
      'ok data folder DATA_DIR can be written.',
      `problem database PostgreSQL at ${closed} cannot be reached (${refused}). Check DATABASE_URL, that PostgreSQL runs, and that its port can be reached from here.`,
      ...['database settings', 'connections', 'rights', 'migrations', 'keys'].map(noDatabase),
      'ok token issuers None is configured: callers have API keys alone.',
      'ok console sign-in No provider has a clientId: people sign in with API keys alone.',
      `problem file storage s3://bucket/prefix cannot be used: ${refused}. Check STORAGE_URL, the credentials of the bucket, and what they may do: put, get, list and delete objects.`,
      `problem search server The search server cannot be reached (${refused}). Check MEILI_URL, and whether it runs.`,
      noDatabase('search index'),
      `warning embedding The embedding endpoint does not answer: ${refused}. Searches go by words. Check EMBEDDING_URL, and whether the endpoint runs.`,
      `warning reranking The rerank endpoint does not answer: ${refused}. Searches are not reranked. Check RERANK_URL, and whether the endpoint runs.`,
      `warning extraction The extraction endpoint does not answer: ${refused}. Scans are not read. Check EXTRACTION_URL, and whether the endpoint runs.`,
      ...['documents', 'webhooks'].map(noDatabase),
      'skipped clocks There is no other clock to compare with.',
      'ok parsers Files are parsed in processes of their own.',
      '',
      '4 problems, N warnings.',
    ),
  });
});

test('a PostgreSQL server without TLS, which the URL asks for', async () => {
  const plain = createTcpServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end('N'));
  });
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const { port } = plain.address() as AddressInfo;
  const env = { DATA_DIR: data.dataDir };
  const advice =
    'Switch it on there (ssl = on in postgresql.conf), or change sslmode in DATABASE_URL: with sslmode=disable nothing is encrypted on the way.';
  const reason = 'The server does not support SSL connections';
  for (const mode of ['verify-full', 'require']) {
    const DATABASE_URL = `postgres://lectern@127.0.0.1:${port}/lectern?sslmode=${mode}`;
    const { report, stderr } = await examine({ ...env, DATABASE_URL });
    expect(report).toContain(
      `problem database PostgreSQL at 127.0.0.1:${port} offers no TLS (${reason}), and DATABASE_URL asks for it. ${advice}\n`,
    );
    expect(stderr).toBe('');
    expect(await startProgram(['keys', 'list'], { ...env, DATABASE_URL }).ended).toEqual({
      status: 1,
      stdout: '',
      stderr: `PostgreSQL offers no TLS (${reason}), and DATABASE_URL asks for it. ${advice}\n`,
    });
  }
  plain.close();
});

test('a configuration that is not valid', async () => {
  const { status, report } = await examine({ PORT: '99999', ROLE: 'both' });
  expect({ status, report }).toEqual({
    status: 1,
    report: lines(
      'problem configuration PORT: must be at most 65535 (is "99999"). See .env.example for what it may hold.',
      'problem configuration ROLE: must be api, worker or all (is "both"). See .env.example for what it may hold.',
      'skipped all others The configuration is not valid.',
      '',
      '2 problems, N warnings.',
    ),
  });
});

test('a data folder that cannot be made, or that everybody can read', async () => {
  const [link, open] = ['link', 'open'].map((name) => path.join(data.dataDir, name));
  await symlink('/nowhere/at/all', `${link}`);
  await mkdir(`${open}`);
  await chmod(`${open}`, 0o755);
  const report = async (DATA_DIR?: string) => (await examine({ DATA_DIR })).report;
  const [ofLink, ofKernel, ofOpen] = await Promise.all([`${link}/below`, '/proc/lectern', open].map(report));
  expect(ofLink).toContain(
    'problem data folder DATA_DIR/link is a symbolic link to /nowhere/at/all, which is not there. Make that folder, or set DATA_DIR to another one.\n',
  );
  if (process.platform === 'linux') {
    expect(ofKernel).toContain(
      'problem data folder /proc is a file system of the kernel. Set DATA_DIR to another folder.\n',
    );
  }
  expect(ofOpen).toMatch(
    /^warning data folder Every user of this machine can look into DATA_DIR\/open\. Close it: chmod 7[01][01] DATA_DIR\/open\n/m,
  );
});

test('a database server of others', async () => {
  const empty = await examineDatabase();
  expect(empty.status).toBe(0);
  expect(empty.report).toContain(
    `ok migrations The database is empty: the first start applies ${MIGRATIONS} migrations.\n`,
  );
  expect(empty.report).toContain('skipped webhooks The database does not have the tables of this version.\n');
  await migrateToLatest(external.url);
  expect((await examineDatabase()).report).toContain(
    lines('has all rights that the server needs.', `ok migrations All ${MIGRATIONS} migrations are applied.`),
  );
});

test('keys that were made in open mode, once keys are required', async () => {
  const required = { AUTH_MODE: 'required' };
  expect((await examineDatabase(required)).report).toContain(
    'ok keys No key that can be used was made in open mode.\n',
  );
  await query(`
    insert into api_keys (tenant_id, id, scopes, name, secret_hash, created_time, made_in_open_mode, revoked_time)
      select 'acme', 'key' || n, '{keys:admin}', 'evil', decode(md5('a') || md5(n::text), 'hex'), now(), n <> 3,
        case when n = 2 then now() end
      from generate_series(1, 4) as n`);
  expect((await examineDatabase()).report).toContain('ok keys Keys that were made in open mode: 2.\n');
  const { status, report } = await examineDatabase(required);
  expect({ status, report }).toEqual({
    status: 0,
    report: expect.stringContaining(
      'warning keys Keys that anybody could make in open mode, and that can be used: key1, key4. Look at them with lectern keys list; revoke them, or replace those that are needed with lectern keys rotate.\n',
    ),
  });
});

test('a database in which something is wrong', async () => {
  await query(`
    insert into documents (tenant_id, tenant_unit_id, id, document_type, source, created_time, updated_time)
      select 'acme', 'sales', n::text, 'UnstructuredFile', 'content', now(), now() from generate_series(1, 2) as n;
    insert into processing_jobs (tenant_id, document_id, lane, lease_owner, lease_expires_time)
      values ('acme', '1', 'small', 'dead', now() - interval '1 hour');
    insert into webhook_subscriptions
        (tenant_id, id, url, event_types, secret, created_time, updated_time, failures, paused_time)
      values ('acme', 'a', 'https://a.invalid', '{}', '', now(), now(), 20, now()),
        ('acme', 'b', 'https://b.invalid', '{}', '', now(), now(), 3, null);
    insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, subject_id, payload,
        created_time, next_attempt_time)
      select 'acme', 'd', 'b', 'e', 'document.ready', '1', '{}', time, time from (select now() - interval '1 hour') as given (time);
    insert into kysely_migration values ('9999-later', now()::text)`);
  const { status, report } = await examineDatabase();
  expect(status).toBe(1);
  expect(report).toContain(
    'problem migrations The database is that of a newer version (9999-later). Run that version, or restore a backup of before the upgrade.\n',
  );
  await query(`delete from kysely_migration where name = '9999-later'`);
  await query(`do $$ begin execute format('drop owned by %I', tenant_role()); end $$`, administrator());
  await query(`do $$ begin execute format('drop role %I', tenant_role()); end $$`, administrator());
  await query(`alter database ${databaseName()} set default_transaction_read_only = on`);
  const later = await examineDatabase({ DATABASE_REQUEST_CONNECTIONS: '900' });
  expect(later.status).toBe(1);
  // PostgreSQL reserves three for superusers.
  const allowed = (await maxConnections()) - 3;
  for (const line of [
    'problem database The database can only be read (default_transaction_read_only). Switch that off for the database and its user.',
    'warning database settings fsync is off: a crash of the machine may lose the whole database. Set fsync = on in postgresql.conf.',
    `problem connections A server with ROLE=all opens up to 914 of the ${allowed} connections that PostgreSQL allows. Raise max_connections, or lower DATABASE_REQUEST_CONNECTIONS and the others.`,
    'problem rights The user USER cannot take the role ROLE, which every write does. Dumps of PostgreSQL have no roles: make it (create role ROLE nologin; grant ROLE to USER;), then restore the dump again.',
    'warning documents Documents whose workers died, and that none has taken over: 1. Start a worker: lectern serve, or one with --role worker.',
    'warning webhooks Webhooks whose consumers fail: 2; paused: 1. The screen Webhooks of the console shows what they answer; resume them when they are repaired.',
    'warning webhooks Deliveries that are overdue: 1. Start a worker: lectern serve, or one with --role worker.',
  ]) {
    expect(later.report).toContain(`${line}\n`);
  }
});

test('as JSON; and what it does not take', async () => {
  const { status, stdout } = await startProgram(['doctor', '--json'], { HOST: '0.0.0.0', DATA_DIR: '/none' })
    .ended;
  const { version, time, checks } = JSON.parse(stdout);
  expect({ status, version, time: new Date(time).toJSON() }).toEqual({
    status: 1,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    time,
  });
  expect(checks.find(({ check }: { check: string }) => check === 'access')).toEqual({
    check: 'access',
    status: 'problem',
    message: 'HOST is 0.0.0.0, which others can reach, and AUTH_MODE is not set: no server starts.',
    advice: 'Set AUTH_MODE=required, and make a key with lectern keys create.',
  });
  expect(await startProgram(['doctor', 'everything'], {}).ended).toMatchObject({ status: 2, stdout: '' });
});

test('a clock that is wrong', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(500, { date: new Date(Date.now() - 600_000).toUTCString() }).end();
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const { report } = await examine({
    DATA_DIR: `${data.dataDir}/none`,
    MEILI_URL: `http://127.0.0.1:${port}`,
  });
  other.close();
  expect(report).toMatch(
    /^warning clocks The clock of the search server is (9 min 59 s|10 min \d s) behind this machine's: .* Let NTP set the clocks of both machines\.$/m,
  );
});

const examineDatabase = (env: Environment = {}) =>
  examine({ DATABASE_URL: external.url, DATA_DIR: data.dataDir, ...env });

const databaseName = () => new URL(external.url).pathname.slice(1);

/** The address of the same database for a superuser. */
function administrator(): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = databaseName();
  return url.href;
}

async function query(text: string, url = external.url): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

const maxConnections = async () => Number((await query('show max_connections')).rows[0].max_connections);
