import type { Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { connect } from '../db/client.js';
import { migrateToLatest } from '../db/migrate.js';
import { unscoped } from '../db/tenant-wall/unscoped.js';
import { assertAuthModeSaid, type Config } from './config.js';
import { createGuardSteps } from './guard-steps.js';
import { createHttpApp } from './http/app.js';
import { createReadiness } from './http/readiness.js';
import { createHttpServer } from './http/server.js';
import { addressOf, listen, stopServing } from './http/serving.js';
import { createAllowList } from './ingestion/fetch/fetch-source-allow.js';
import { createHttpClient } from './ingestion/fetch/http-client.js';
import { jobQueue } from './ingestion/jobs/job-queue.js';
import { startWorker } from './ingestion/jobs/worker.js';
import { keywords } from './ingestion/keywords.js';
import { createProcessDocument } from './ingestion/process-document.js';
import { createSandbox } from './ingestion/sandbox/sandbox.js';
import type { SitemapOutcome, SitemapTask } from './ingestion/sitemap/protocol.js';
import { createReadSitemap } from './ingestion/sitemap/read-sitemap.js';
import { SITEMAP_CONCURRENCY, SITEMAP_LIMITS } from './ingestion/sitemap/sandbox-limits.js';
import { createSweep } from './ingestion/sweep.js';
import { createLog } from './log.js';
import { createLogForPeople } from './log-for-people.js';
import type { Services } from './routers/index.js';
import { withFallback } from './search/fallback.js';
import { connectMeilisearch } from './search/meilisearch/connect.js';
import { createMeilisearchIndex } from './search/meilisearch.js';
import { createOperations } from './search/operations/create-operations.js';
import { createPostgresIndex } from './search/postgres.js';
import { reanalyze } from './search/ranking/stored-terms.js';
import { startSync } from './search/sync.js';
import { createApiKeys } from './services/api-keys.js';
import { createAudit } from './services/audit.js';
import { createChunks } from './services/chunks.js';
import { createConversations } from './services/conversations.js';
import { createDocuments } from './services/documents.js';
import { createFiles } from './services/files.js';
import { sweepIdempotencyKeys } from './services/idempotency.js';
import { createMessages } from './services/messages.js';
import { createQuotas } from './services/quotas.js';
import { createSearch } from './services/search.js';
import { createSearchConsole } from './services/search-console.js';
import { createSearchable } from './services/searchable.js';
import { createWebhooks } from './services/webhooks.js';
import { type RunningDatabase, startDatabase } from './start-database.js';
import { createBucketRule } from './storage/bucket-rule.js';
import { createOpenObject } from './storage/object-source.js';
import { openStorage } from './storage/open-storage.js';
import { version } from './version.js';
import { createCheckTarget } from './webhooks/check-target.js';
import { startDeliveries } from './webhooks/deliver.js';
import { createSend } from './webhooks/send.js';
import { sweepWebhooks } from './webhooks/sweep.js';

const SWEEP_INTERVAL_MS = 60 * 60_000;
/** Documents under way for each one that is parsed: the others wait for the web or for storage. */
const SLOTS_PER_PARSER = 4;
/** A parser is limited by processor time, and gets little of it on a busy machine: so much more of the clock. */
const WAITING_MS = 3_600_000;
/** A parser that neither gives chunks nor tells how far it is for so long is in an endless loop. */
const SILENCE_MS = 120_000;
/** A connection that has not answered by then is given up, and replaced. */
const HEALTH_CHECK = { text: 'select 1', query_timeout: 4_000 };
const SANDBOX_PROGRAM = fileURLToPath(new URL('./ingestion/sandbox/child.js', import.meta.url));
const SITEMAP_PROGRAM = fileURLToPath(new URL('./ingestion/sitemap/child.js', import.meta.url));

export interface App {
  services: Services;
  http: Server;
  /** Begins to answer requests and to work off documents. */
  start(): Promise<{ address: string }>;
  /** Whether all documents are processed. */
  isIdle(): Promise<boolean>;
  close(): Promise<void>;
  engines: { database: string; search: string };
}

export interface Overrides {
  database?: RunningDatabase;
  clock?: () => Date;
  log?: Logger;
  /** The built program of the parser processes, where this code itself is not built. */
  sandboxProgram?: string;
  /** Likewise of the processes that read sitemaps. */
  sitemapProgram?: string;
}

/** The log of a server with this configuration, which tells none of its secrets; on a terminal it is for people. */
export function createServerLog({ logLevel, databaseUrl, meilisearch }: Config): Logger {
  const password = databaseUrl && decodeURIComponent(new URL(databaseUrl).password);
  const destination = createLogForPeople(process.stdout);
  return createLog({
    level: logLevel,
    secrets: [password, meilisearch?.apiKey, meilisearch?.adminKey],
    ...(destination && { destination }),
  });
}

/** Builds everything there is, in the one place that knows all of it. The database is migrated on the way. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  assertAuthModeSaid(config);
  const log = overrides.log ?? createServerLog(config);
  const clock = overrides.clock ?? (() => new Date());
  const database = overrides.database ?? (await startDatabase(config, log));
  await migrateToLatest(database.url);
  const { db, pool, close } = connect(database.url, {
    max: 20,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });

  const { maxPageSize, maxUploadBytes, maxJsonBytes, s3Endpoint, fetchAllowHosts, fetchTimeoutMs } = config;
  const stopping = new AbortController();
  const onDisk = pathToFileURL(path.join(config.dataDir, 'files')).href;
  const storage = openStorage(config.storageUrl ?? onDisk, { s3Endpoint });
  const searchServer = config.meilisearch && connectMeilisearch(config.meilisearch);
  const ownIndex = createPostgresIndex({ db });
  const serverIndex = searchServer && createMeilisearchIndex({ db, server: searchServer });
  const index =
    serverIndex && config.searchFallback
      ? withFallback(serverIndex, { fallback: ownIndex, stopping: stopping.signal, log })
      : (serverIndex ?? ownIndex);
  const conversations = createConversations({ db, clock, defaultScope: config.defaultScope, maxPageSize });
  const operations = createOperations({ db, index, server: searchServer, fallback: config.searchFallback });
  const quotas = createQuotas(config.quotas);
  const files = createFiles({ db, storage, quotas, clock, maxUploadBytes });
  const allowList = createAllowList(fetchAllowHosts);
  const checkTarget = createCheckTarget(allowList);
  const spoolDir = path.join(config.dataDir, 'spool');
  const sitemapSandbox = createSandbox<SitemapTask, SitemapOutcome>({
    program: overrides.sitemapProgram ?? SITEMAP_PROGRAM,
    concurrency: SITEMAP_CONCURRENCY,
    limits: SITEMAP_LIMITS,
    log,
  });
  const services: Services = {
    conversations,
    messages: createMessages({ db, conversations, maxPageSize }),
    documents: createDocuments({
      db,
      clock,
      files,
      jobs: jobQueue,
      index,
      quotas,
      maxPageSize,
      readSitemap: createReadSitemap({
        allowHosts: fetchAllowHosts,
        tempDir: spoolDir,
        sandbox: sitemapSandbox,
      }),
      stopping: stopping.signal,
    }),
    chunks: createChunks({ db, clock, index, keywordsOf: keywords, maxPageSize }),
    search: createSearch({ db, index, maxPageSize }),
    searchable: createSearchable({ db, hasOutbox: searchServer !== undefined, stopping: stopping.signal }),
    searchConsole: createSearchConsole({ db, operations, maxPageSize }),
    files,
    apiKeys: createApiKeys({ db, clock, maxPageSize }),
    audit: createAudit({ db, maxPageSize }),
    webhooks: createWebhooks({ db, clock, maxPageSize, checkTarget }),
  };
  const sweepIngestion = createSweep({ db, spoolDir, clock });
  const { ingestMemoryBytes: memoryBytes, ingestTimeoutMs } = config;
  const sandbox = createSandbox({
    program: overrides.sandboxProgram ?? SANDBOX_PROGRAM,
    concurrency: config.ingestConcurrency,
    limits: { memoryBytes, timeoutMs: ingestTimeoutMs + WAITING_MS, silenceMs: SILENCE_MS },
    log,
  });
  const processDocument = createProcessDocument({
    db,
    index,
    sandbox,
    reading: {
      storage,
      openObject: createOpenObject({
        s3Endpoint,
        isAllowed: createBucketRule({ allowed: config.sourceBuckets, storageUrl: config.storageUrl }),
      }),
      maxBytes: maxUploadBytes,
      tempDir: spoolDir,
      fetchAllowHosts,
      fetchTimeoutMs,
    },
    chunking: config.chunking,
    mostOfFile: { chunks: config.maxChunks, processorMs: ingestTimeoutMs },
    isWithinQuota: (tx, tenantId) => quotas.isKept(tx, tenantId, ['chunks']),
    clock,
    log,
  });
  const checks = {
    database: async () => void (await pool.query(HEALTH_CHECK)),
    search: () => index.status(),
  };
  const guard = createGuardSteps(config, { db, clock, log });
  const { requestTimeoutMs, maxConnections } = config;
  const http = createHttpServer(
    createHttpApp({
      services,
      readiness: createReadiness({ checks, log }),
      version,
      needsKey: config.authMode !== 'open',
      guardSteps: guard.steps,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      maxJsonBytes,
      maxUploadBytes,
      maxPageSize,
      log,
    }),
    { requestTimeoutMs, maxConnections, log },
  );
  const background: { stop(): Promise<void> | void }[] = [];

  return {
    services,
    http,
    engines: { database: database.description, search: index.engine },

    async start() {
      const worker = startWorker({
        db,
        databaseUrl: database.url,
        processDocument,
        limits: {
          large: config.ingestConcurrency * SLOTS_PER_PARSER,
          small: config.ingestConcurrency + 1,
          perTenant: config.ingestConcurrency,
        },
        log,
      });
      const sweep = () =>
        Promise.all([
          files.sweep(),
          sweepIdempotencyKeys(db, clock()),
          sweepIngestion(),
          sweepWebhooks(db, clock()),
          guard.sweep(),
        ]).catch((error) => log.warn({ err: error }, 'could not sweep what is left over'));
      const sweeping = setInterval(sweep, SWEEP_INTERVAL_MS);
      background.push(
        { stop: () => worker.stop().then(() => sandbox.close()) },
        { stop: () => sitemapSandbox.close() },
        { stop: () => clearInterval(sweeping) },
      );
      const send = createSend({ client: createHttpClient(allowList), checkTarget, clock });
      background.push(startDeliveries({ db, send, clock, log }));
      if (searchServer) background.push(startSync({ db, server: searchServer, clock, log }));
      reanalyze(db).catch((error) => log.warn({ err: error }, 'could not renew the search terms'));
      await listen(http, config);
      return { address: addressOf(http) };
    },

    async isIdle() {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from documents where status in ('created', 'processing') and source <> 'none'
      `.execute(unscoped(db, 'Whether anything is left to be processed is asked for all tenants.'));
      return rows[0]?.count === 0;
    },

    async close() {
      stopping.abort();
      await stopServing(http);
      await Promise.all(background.map((one) => one.stop()));
      await close();
      await database.stop();
    },
  };
}
