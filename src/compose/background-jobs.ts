import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config.js';
import { startWorker } from '../ingestion/jobs/worker.js';
import type { ProcessDocument } from '../ingestion/process-document.js';
import type { ProcessTogether } from '../ingestion/process-together.js';
import type { AreaLogs } from '../logging/areas.js';
import type { CountDocuments } from '../metrics/activity.js';
import type { ObserveDelivery } from '../metrics/prometheus/delivery-metrics.js';
import { startEmbeddingWorker } from '../search/embedding/embedding-worker.js';
import { reanalyzeStaleChunks } from '../search/index-writer.js';
import type { MeilisearchServer } from '../search/meilisearch/connect.js';
import { startIndexSync } from '../search/meilisearch/sync.js';
import { startMergeWorker } from '../search/postings/merge-worker.js';
import { rollUpLists } from '../services/shared/lists/list-rollup.js';
import { startRollup } from '../services/shared/rollup-worker.js';
import { startUsageRollup } from '../services/shared/usage-rollup.js';
import { startDeliveryWorker } from '../webhooks/delivery-worker.js';
import type { SendWebhook } from '../webhooks/send.js';

const SWEEP_INTERVAL_MS = 60 * 60_000;
/** Documents in progress for each one that is parsed: the others wait for the web or for storage. */
const SLOTS_PER_PARSER = 4;

interface BackgroundJobsDependencies {
  db: Database;
  databaseUrl: string;
  processDocument: ProcessDocument;
  processTogether: ProcessTogether;
  countDocuments: CountDocuments;
  sendWebhook: SendWebhook;
  observeDelivery: ObserveDelivery;
  searchServer: MeilisearchServer | undefined;
  /** Each removes what is left over; called once an hour. */
  sweeps: (() => Promise<unknown>)[];
  clock: () => Date;
  log: Logger;
  areaLogs: AreaLogs;
}

/** Starts what a server does beside requests: documents, webhooks, usage, the search index and sweeps. */
export function startBackgroundJobs(
  { ingestConcurrency, embedding }: Config,
  {
    db,
    databaseUrl,
    processDocument,
    processTogether,
    countDocuments,
    sendWebhook,
    observeDelivery,
    searchServer,
    sweeps,
    clock,
    log,
    areaLogs,
  }: BackgroundJobsDependencies,
): { stop(): Promise<void> } {
  const limits = {
    large: ingestConcurrency * SLOTS_PER_PARSER,
    small: ingestConcurrency + 1,
    perTenant: ingestConcurrency,
  };
  const workers = [
    startWorker({
      db,
      databaseUrl,
      processDocument,
      processTogether,
      countDocuments,
      limits,
      log: areaLogs.ingestion,
    }),
    startDeliveryWorker({ db, send: sendWebhook, observe: observeDelivery, clock, log: areaLogs.webhooks }),
    startMergeWorker({ db, log: areaLogs.search }),
    startUsageRollup({ db, log }),
    startRollup({ what: 'list changes', step: () => rollUpLists(db), log }),
    ...(embedding ? [startEmbeddingWorker({ db, options: embedding, log: areaLogs.search })] : []),
    ...(searchServer ? [startIndexSync({ db, server: searchServer, clock, log: areaLogs.search })] : []),
  ];
  const sweepAll = () =>
    Promise.all(sweeps.map((sweep) => sweep())).catch((error) =>
      log.warn({ err: error }, 'could not sweep what is left over'),
    );
  const sweeping = setInterval(sweepAll, SWEEP_INTERVAL_MS);
  reanalyzeStaleChunks(db).catch((error) => log.warn({ err: error }, 'could not renew the search terms'));
  return {
    async stop() {
      clearInterval(sweeping);
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
