import type { Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { connectDatabase } from '../db/client.js';
import { migrateToLatest } from '../db/migrate.js';
import { unscoped } from '../db/tenant-isolation/unscoped.js';
import { createGuards } from './compose/guards.js';
import { assertAuthModeSet, type Config } from './config.js';
import { createHttpApp } from './http/app.js';
import { createReadiness } from './http/health/readiness.js';
import { createHttpServer } from './http/server.js';
import { closeGracefully, listen, serverAddress } from './http/server-lifecycle.js';
import { extractKeywords } from './ingestion/chunking/keywords.js';
import { createAllowlist } from './ingestion/fetch/allowlist.js';
import { createHttpClient } from './ingestion/fetch/http-client.js';
import { jobQueue } from './ingestion/jobs/job-queue.js';
import { startWorker } from './ingestion/jobs/worker.js';
import { createProcessDocument } from './ingestion/process-document.js';
import { createSandbox } from './ingestion/sandbox/sandbox.js';
import type { SitemapResult, SitemapTask } from './ingestion/sitemap/protocol.js';
import { createReadSitemap } from './ingestion/sitemap/read-sitemap.js';
import { SITEMAP_CONCURRENCY, SITEMAP_SANDBOX_LIMITS } from './ingestion/sitemap/sandbox-limits.js';
import { createBucketAllowlist } from './ingestion/sources/buckets/bucket-allowlist.js';
import { createOpenObject } from './ingestion/sources/buckets/open-object.js';
import { createSweepIngestion } from './ingestion/sweep.js';
import { createLog } from './logging/log.js';
import { createPrettyLogStream } from './logging/pretty-log.js';
import type { Services } from './routers/index.js';
import { createSearchOperations } from './search/create-operations.js';
import { withFallback } from './search/fallback.js';
import { reanalyzeStaleChunks } from './search/index-writer.js';
import { connectMeilisearch } from './search/meilisearch/connect.js';
import { createMeilisearchEngine } from './search/meilisearch/engine.js';
import { startIndexSync } from './search/meilisearch/sync.js';
import { createPostgresEngine } from './search/postgres.js';
import { createApiKeys } from './services/api-keys/api-keys.js';
import { createAudit } from './services/audit/audit.js';
import { createChunks } from './services/chunks/chunks.js';
import { createConversations } from './services/conversations/conversations.js';
import { createMessages } from './services/conversations/messages.js';
import { createDocuments } from './services/documents/documents.js';
import { createFiles } from './services/files/files.js';
import { createSearch } from './services/search/search.js';
import { createSearchAdmin } from './services/search/search-admin.js';
import { createSearchableWaits } from './services/search/wait-until-searchable.js';
import { sweepIdempotencyKeys } from './services/shared/idempotency.js';
import { createQuotas } from './services/shared/quotas.js';
import { createWriteTransaction } from './services/shared/write-transaction.js';
import { createWebhooks } from './services/webhooks/webhooks.js';
import { type RunningDatabase, startDatabase } from './start-database.js';
import { openStorage } from './storage/open-storage.js';
import { version } from './version.js';
import { startDeliveryWorker } from './webhooks/delivery-worker.js';
import { createSendWebhook } from './webhooks/send.js';
import { sweepWebhooks } from './webhooks/sweep.js';
import { createWebhookUrlValidator } from './webhooks/validate-url.js';

const SWEEP_INTERVAL_MS = 60 * 60_000;
/** Documents under way for each one that is parsed: the others wait for the web or for storage. */
const SLOTS_PER_PARSER = 4;
/** A parser is limited by processor time, and gets little of it on a busy machine: so much more of the clock. */
const WALL_CLOCK_MARGIN_MS = 3_600_000;
/** A parser that neither gives chunks nor tells how far it is for so long is in an endless loop. */
const NO_PROGRESS_TIMEOUT_MS = 120_000;
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

export interface AppOverrides {
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
  const destination = createPrettyLogStream(process.stdout);
  return createLog({
    level: logLevel,
    secrets: [password, meilisearch?.apiKey, meilisearch?.adminKey],
    ...(destination && { destination }),
  });
}

/** Builds everything there is, in the one place that knows all of it. The database is migrated on the way. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  assertAuthModeSet(config);
  const log = overrides.log ?? createServerLog(config);
  const clock = overrides.clock ?? (() => new Date());
  const database = overrides.database ?? (await startDatabase(config, log));
  await migrateToLatest(database.url);
  const { db, pool, close } = connectDatabase(database.url, {
    max: 20,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });

  const { maxPageSize, maxUploadBytes, maxJsonBytes, s3Endpoint, fetchAllowHosts, fetchTimeoutMs } = config;
  const stopping = new AbortController();
  const onDisk = pathToFileURL(path.join(config.dataDir, 'files')).href;
  const storage = openStorage(config.storageUrl ?? onDisk, { s3Endpoint });
  const searchServer = config.meilisearch && connectMeilisearch(config.meilisearch);
  const ownIndex = createPostgresEngine({ db });
  const serverIndex = searchServer && createMeilisearchEngine({ db, server: searchServer });
  const index =
    serverIndex && config.searchFallback
      ? withFallback(serverIndex, { fallback: ownIndex, stopping: stopping.signal, log })
      : (serverIndex ?? ownIndex);
  const writeTransaction = createWriteTransaction(db);
  const conversations = createConversations({
    db,
    writeTransaction,
    clock,
    defaultTenantUnit: config.defaultTenantUnit,
    maxPageSize,
  });
  const operations = createSearchOperations({
    db,
    index,
    server: searchServer,
    fallback: config.searchFallback,
  });
  const quotas = createQuotas(config.quotas);
  const files = createFiles({ db, writeTransaction, storage, quotas, clock, maxUploadBytes });
  const allowList = createAllowlist(fetchAllowHosts);
  const checkTarget = createWebhookUrlValidator(allowList);
  const spoolDir = path.join(config.dataDir, 'spool');
  const sitemapSandbox = createSandbox<SitemapTask, SitemapResult>({
    program: overrides.sitemapProgram ?? SITEMAP_PROGRAM,
    concurrency: SITEMAP_CONCURRENCY,
    limits: SITEMAP_SANDBOX_LIMITS,
    log,
  });
  const services: Services = {
    conversations,
    messages: createMessages({ db, conversations, maxPageSize }),
    documents: createDocuments({
      db,
      writeTransaction,
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
    chunks: createChunks({ db, writeTransaction, clock, index, extractKeywords, maxPageSize }),
    search: createSearch({ db, index, maxPageSize }),
    searchableWaits: createSearchableWaits({
      db,
      hasOutbox: searchServer !== undefined,
      stopping: stopping.signal,
    }),
    searchAdmin: createSearchAdmin({ db, operations, maxPageSize }),
    files,
    apiKeys: createApiKeys({ db, writeTransaction, clock, maxPageSize }),
    audit: createAudit({ db, maxPageSize }),
    webhooks: createWebhooks({ db, writeTransaction, clock, maxPageSize, validateUrl: checkTarget }),
  };
  const sweepIngestion = createSweepIngestion({ db, tempDir: spoolDir, clock });
  const { ingestMemoryBytes: memoryBytes, ingestTimeoutMs } = config;
  const sandbox = createSandbox({
    program: overrides.sandboxProgram ?? SANDBOX_PROGRAM,
    concurrency: config.ingestConcurrency,
    limits: {
      memoryBytes,
      timeoutMs: ingestTimeoutMs + WALL_CLOCK_MARGIN_MS,
      inactivityTimeoutMs: NO_PROGRESS_TIMEOUT_MS,
    },
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
        isAllowed: createBucketAllowlist({ allowed: config.sourceBuckets, storageUrl: config.storageUrl }),
      }),
      maxBytes: maxUploadBytes,
      tempDir: spoolDir,
      fetchAllowHosts,
      fetchTimeoutMs,
    },
    chunking: config.chunking,
    mostOfFile: { chunks: config.maxChunksPerDocument, processorMs: ingestTimeoutMs },
    isWithinQuota: (tx, tenantId) => quotas.isWithinQuota(tx, tenantId, ['chunks']),
    clock,
    log,
  });
  const checks = {
    database: async () => void (await pool.query(HEALTH_CHECK)),
    search: () => index.status(),
  };
  const guard = createGuards(config, { db, clock, log });
  const { requestTimeoutMs, maxConnections } = config;
  const http = createHttpServer(
    createHttpApp({
      services,
      readiness: createReadiness({ checks, log }),
      version,
      needsKey: config.authMode !== 'open',
      guards: guard.steps,
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
      const send = createSendWebhook({
        client: createHttpClient(allowList),
        validateUrl: checkTarget,
        clock,
      });
      background.push(startDeliveryWorker({ db, send, clock, log }));
      if (searchServer) background.push(startIndexSync({ db, server: searchServer, clock, log }));
      reanalyzeStaleChunks(db).catch((error) => log.warn({ err: error }, 'could not renew the search terms'));
      await listen(http, config);
      return { address: serverAddress(http) };
    },

    async isIdle() {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from documents where status in ('created', 'processing') and source <> 'none'
      `.execute(unscoped(db, 'Whether anything is left to be processed is asked for all tenants.'));
      return rows[0]?.count === 0;
    },

    async close() {
      stopping.abort();
      await closeGracefully(http);
      await Promise.all(background.map((one) => one.stop()));
      await close();
      await database.stop();
    },
  };
}
