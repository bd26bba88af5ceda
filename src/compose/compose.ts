import type { Server } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { startDatabaseClock } from '../../db/database-clock.js';
import { migrateToLatest } from '../../db/migrate.js';
import { compileParser } from '../../db/tenant-isolation/query-guard/find-unscoped.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';
import { createCallsUnderWay } from '../async/calls-under-way.js';
import { assertAuthModeSet, type Config } from '../config/config.js';
import { version } from '../config/version.js';
import { closeGracefully, serverAddress } from '../http/server-lifecycle.js';
import { createProcessDocument } from '../ingestion/process-document.js';
import { createProcessTogether } from '../ingestion/process-together.js';
import { createSandbox } from '../ingestion/sandbox/sandbox.js';
import type { SitemapResult, SitemapTask } from '../ingestion/sitemap/protocol.js';
import { createReadSitemap } from '../ingestion/sitemap/read-sitemap.js';
import { SITEMAP_CONCURRENCY, SITEMAP_SANDBOX_LIMITS } from '../ingestion/sitemap/sandbox-limits.js';
import { createAreaLogs } from '../logging/areas.js';
import { createActivity } from '../metrics/activity.js';
import { createDatasetSearches } from '../metrics/dataset-searches.js';
import { startStoringCounts } from '../metrics/store-counts.js';
import { createAllowlist } from '../outbound-http/allowlist.js';
import { createHttpClient } from '../outbound-http/http-client.js';
import type { Services } from '../routers/index.js';
import { createFiles } from '../services/files/files.js';
import { createQuotas } from '../services/shared/quotas.js';
import { createWriteTransaction } from '../services/shared/write-transaction.js';
import { createSendWebhook } from '../webhook-delivery/send.js';
import { createWebhookUrlValidator } from '../webhook-delivery/validate-url.js';
import { startBackgroundJobs } from './background-jobs.js';
import { connectDatabases } from './databases.js';
import { logExtractionCheck, openExtraction } from './extraction.js';
import { createHttp } from './http.js';
import { createIdentity } from './identity.js';
import { listenAt } from './listen.js';
import { createServerMetrics } from './metrics.js';
import { createPreview, createProcessing } from './processing.js';
import { createGuards } from './request-guards.js';
import { createSearchIndex } from './search.js';
import { createServerLog } from './server-log.js';
import { createServices } from './services.js';
import { createSourceTexts } from './source-texts.js';
import { type RunningDatabase, startDatabase } from './start-database.js';
import { openServerStorage } from './storage.js';
import { createSweeps } from './sweeps.js';
import { createTracing } from './tracing.js';

/** Requests get a third of the time that there is to stop. */
const DRAIN_SHARE = 3;
/** How long the last spans may take to be sent, at most. */
const MAX_FLUSH_MS = 5_000;
const SITEMAP_PROGRAM = fileURLToPath(new URL('../../program/read-sitemap.js', import.meta.url));

export { createServerLog } from './server-log.js';

export interface App {
  services: Services;
  http: Server;
  /** Begins to answer requests and to work in the background, as its role says. */
  start(): Promise<{ address: string }>;
  /** Whether all documents are processed. */
  isIdle(): Promise<boolean>;
  close(): Promise<void>;
  engines: { database: string; search: string; extraction: string | undefined };
  /** Where uploaded files are. */
  storage: string;
  /** Of the metrics, where they have a port of their own and it listens. */
  readonly metricsAddress: string | undefined;
  /** Whether it serves the console, which has to be built. */
  hasConsole: boolean;
}

export interface AppOverrides {
  database?: RunningDatabase;
  clock?: () => Date;
  log?: Logger;
  /** The built program of the parser processes, where this code itself is not built. */
  sandboxProgram?: string;
  /** Likewise of the processes that read sitemaps. */
  sitemapProgram?: string;
  /** Likewise of those that read sources again. */
  sourceTextProgram?: string;
  /** The folder of the built console, where it is not beside this code. */
  webDir?: string;
  /** Likewise of the built guide. */
  docsDir?: string;
}

/** Builds everything there is, in the one place that knows all of it. The database is migrated on the way. */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  assertAuthModeSet(config);
  const log = overrides.log ?? createServerLog(config);
  const areaLogs = createAreaLogs(log, config.logLevels);
  const tracing = await createTracing(config, log);
  const database = overrides.database ?? (await startDatabase(config, log));
  const migrated = migrateToLatest(database.url, { version, onWaiting: (what) => log.warn(what) });
  // While the database is waited for.
  compileParser();
  await migrated;
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  const databases = connectDatabases(database.url, config, { onError, isTraced: tracing !== undefined });
  const shared = await startDatabaseClock(databases.background.pool);
  const clock = overrides.clock ?? shared.now;
  const { db } = databases.requests;
  const { db: backgroundDb } = databases.background;
  const { db: searchDb } = databases.search;

  const { maxUploadBytes, fetchAllowHosts, shutdown } = config;
  /** Readiness ends first, so that nobody sends further requests, and the rest after a delay. */
  const leaving = new AbortController();
  const stopping = new AbortController();
  const search = createSearchIndex(config, {
    db,
    searchDb,
    stopping: stopping.signal,
    log: areaLogs.search,
  });
  const { server: searchServer, index } = search;
  const writeTransaction = createWriteTransaction(db, { perTenant: databases.writesPerTenant });
  const activity = createActivity();
  const datasetSearches = createDatasetSearches();
  const metrics = createServerMetrics(config, { databases, activity });
  const { countDocuments } = metrics;
  const { onFailure } = metrics.storage;
  const tempDir = path.join(config.dataDir, 'tmp');
  const isTraced = tracing !== undefined;
  const storage = await openServerStorage(config, { tempDir, isTraced, onFailure, log });
  const quotas = createQuotas(config.quotas);
  const files = createFiles({ db, writeTransaction, storage, quotas, clock, maxUploadBytes });
  const allowList = createAllowlist(fetchAllowHosts);
  const checkTarget = createWebhookUrlValidator(allowList);
  const sitemapSandbox = createSandbox<SitemapTask, SitemapResult>({
    program: overrides.sitemapProgram ?? SITEMAP_PROGRAM,
    concurrency: SITEMAP_CONCURRENCY,
    limits: SITEMAP_SANDBOX_LIMITS,
    log,
  });
  const extraction = await openExtraction(config, {
    db: backgroundDb,
    tempDir,
    program: overrides.sandboxProgram,
    log: areaLogs.ingestion,
  });
  const processing = createProcessing(config, {
    db: backgroundDb,
    extraction,
    storage,
    quotas,
    tempDir,
    countDocuments,
    clock,
    log: areaLogs.ingestion,
    program: overrides.sandboxProgram,
  });
  const preview = createPreview(processing, overrides.sandboxProgram);
  const sourceTexts = createSourceTexts(config, {
    db,
    extraction,
    storage,
    tempDir,
    program: overrides.sourceTextProgram,
    log,
  });
  const identity = createIdentity(config, { db, backgroundDb, clock, log });
  const services = createServices(config, {
    db,
    searchDb,
    clock,
    files,
    storage,
    quotas,
    search,
    activity,
    datasetSearches,
    extraction,
    preview,
    sourceTexts,
    metrics: metrics.searches,
    readBacklogs: metrics.readBacklogs,
    readSitemap: createReadSitemap({ allowHosts: fetchAllowHosts, tempDir, sandbox: sitemapSandbox }),
    validateWebhookUrl: checkTarget,
    writeTransaction,
    signIn: identity.signIn,
    stopping: stopping.signal,
  });
  const callsUnderWay = createCallsUnderWay();
  const guards = createGuards(config, { db, backgroundDb, identity, clock, log });
  const { webDir, docsDir } = overrides;
  const { http, metricsHttp, hasConsole } = createHttp(config, {
    services,
    callsUnderWay,
    guards,
    signIn: identity.signIn,
    databases,
    index,
    webDir,
    docsDir,
    metrics,
    tracing,
    stopping: leaving.signal,
    log,
    requestLog: areaLogs.requests,
  });
  const sendWebhook = createSendWebhook({
    client: createHttpClient(allowList),
    validateUrl: checkTarget,
    clock,
    propagatesTrace: tracing?.propagates,
  });
  const sweeps = createSweeps(config, { db: backgroundDb, storage, guards, tempDir, clock });
  let background: { stop(): Promise<void> } | undefined;
  let storing: { stop(): Promise<void> } | undefined;

  return {
    services,
    http,
    engines: {
      database: database.description,
      search: search.description,
      extraction: extraction?.engine.name,
    },
    storage: storage.location,
    hasConsole,
    get metricsAddress() {
      return metricsHttp?.listening ? serverAddress(metricsHttp) : undefined;
    },

    async start() {
      search.start();
      storing = startStoringCounts({ activity, datasetSearches, db: backgroundDb, log });
      if (config.role !== 'api') {
        void logExtractionCheck(extraction?.engine, {
          stopping: stopping.signal,
          log: areaLogs.ingestion,
        });
        background = startBackgroundJobs(config, {
          db: backgroundDb,
          databaseUrl: database.url,
          processDocument: createProcessDocument(processing),
          processTogether: createProcessTogether(processing),
          countDocuments,
          sendWebhook,
          tracing,
          observeDelivery: metrics.deliveries.observe,
          searchServer,
          storage,
          sweeps,
          onPruned: metrics.retention.onPruned,
          clock,
          log,
          areaLogs,
        });
      }
      const { port, host, metrics: metricsPlace } = config;
      await listenAt(http, { port, host, variables: { port: 'PORT', host: 'HOST' } });
      if (metricsHttp && metricsPlace) {
        const variables = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
        await listenAt(metricsHttp, { ...metricsPlace, variables });
      }
      return { address: serverAddress(http) };
    },

    async isIdle() {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from documents where status in ('created', 'processing') and source <> 'none'
      `.execute(unscoped(backgroundDb, 'Whether anything is left to be processed is asked for all tenants.'));
      return rows[0]?.count === 0;
    },

    async close() {
      leaving.abort();
      const atWork = background?.stop();
      await delay(shutdown.delayMs);
      stopping.abort();
      const drainMs = (shutdown.timeoutMs - shutdown.delayMs) / DRAIN_SHARE;
      await Promise.all([closeGracefully(http, drainMs), closeGracefully(metricsHttp, drainMs)]);
      await Promise.all([atWork, sitemapSandbox.close(), preview.close(), sourceTexts.close()]);
      await Promise.all([processing.sandbox.close(), extraction?.close()]);
      const callsEnded = Promise.race([callsUnderWay.ended(), delay(drainMs, undefined, { ref: false })]);
      await Promise.all([guards.stop(), storing?.stop(), callsEnded]);
      shared.stop();
      const closed = databases.close().then(() => database.stop());
      await Promise.all([closed, tracing?.stop(Math.min(MAX_FLUSH_MS, drainMs))]);
    },
  };
}
