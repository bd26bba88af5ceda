import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import type { Config } from '../config/config.js';
import { startWorker } from '../ingestion/jobs/worker.js';
import type { ProcessDocument } from '../ingestion/process-document.js';
import type { ProcessTogether } from '../ingestion/process-together.js';
import type { AreaLogs } from '../logging/areas.js';
import type { CountDocuments } from '../metrics/activity.js';
import type { ObserveDelivery } from '../metrics/prometheus/delivery-metrics.js';
import { type Sweep, startSweeper } from '../retention/sweeper.js';
import { startEmbeddingWorker } from '../search/embedding/embedding-worker.js';
import { reanalyzeStaleChunks } from '../search/indexing/index-writer.js';
import type { MeilisearchServer } from '../search/meilisearch/connect.js';
import { startIndexSync } from '../search/meilisearch/sync.js';
import { startMergeWorker } from '../search/postgres/postings/merge-worker.js';
import { closeLostMessages } from '../services/conversations/close-lost-messages.js';
import { emitIdleEvents } from '../services/conversations/emit-idle-events.js';
import { numberMessages } from '../services/conversations/number-messages.js';
import { removeDeletedLabels } from '../services/labels/remove-deleted-labels.js';
import { rollUpLists } from '../services/shared/lists/list-rollup.js';
import { startRollup } from '../services/shared/rollup-worker.js';
import { startUsageRollup } from '../services/shared/usage-rollup.js';
import { eraseUsers } from '../services/users/erase-users.js';
import type { FileStorage } from '../storage/file-storage.js';
import type { Tracing } from '../tracing/tracing.js';
import { startDeliveryWorker } from '../webhook-delivery/delivery-worker.js';
import type { SendWebhook } from '../webhook-delivery/send.js';

/** Documents in progress for each one that is parsed: the others wait for the web or for storage. */
const SLOTS_PER_PARSER = 4;

interface BackgroundJobsDependencies {
  db: Database;
  databaseUrl: string;
  processDocument: ProcessDocument;
  processTogether: ProcessTogether;
  countDocuments: CountDocuments;
  sendWebhook: SendWebhook;
  tracing: Tracing | undefined;
  observeDelivery: ObserveDelivery;
  searchServer: MeilisearchServer | undefined;
  storage: FileStorage;
  sweeps: Sweep[];
  /** Told of each batch of rows that a sweep has deleted. */
  onPruned: (what: string, rows: number) => void;
  clock: () => Date;
  log: Logger;
  areaLogs: AreaLogs;
}

/** Starts what a server does beside requests: documents, webhooks, usage, the search index and sweeps. */
export function startBackgroundJobs(
  { ingestConcurrency, extraction, embedding, retention, conversationIdleMs }: Config,
  {
    db,
    databaseUrl,
    processDocument,
    processTogether,
    countDocuments,
    sendWebhook,
    tracing,
    observeDelivery,
    searchServer,
    storage,
    sweeps,
    onPruned,
    clock,
    log,
    areaLogs,
  }: BackgroundJobsDependencies,
): { stop(): Promise<void> } {
  const limits = {
    large: ingestConcurrency * SLOTS_PER_PARSER,
    small: ingestConcurrency + 1,
    extraction: 2 * (extraction?.concurrency ?? 1),
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
      tracing,
      log: areaLogs.ingestion,
    }),
    startDeliveryWorker({
      db,
      tracing,
      clock,
      log: areaLogs.webhooks,
      send: sendWebhook,
      observe: observeDelivery,
    }),
    startMergeWorker({ db, log: areaLogs.search }),
    startUsageRollup({ db, log }),
    startRollup({ what: 'list changes', step: () => rollUpLists(db), log }),
    startRollup({ what: 'inserted messages', step: () => numberMessages(db), log }),
    startRollup({ what: 'lost messages', step: () => closeLostMessages(db), log }),
    startRollup({ what: 'idle conversations', step: () => emitIdleEvents(db, conversationIdleMs), log }),
    startRollup({ what: 'deleted labels', step: () => removeDeletedLabels(db), log }),
    startRollup({ what: 'erasures of users', step: () => eraseUsers({ db, storage, clock }), log }),
    ...(embedding ? [startEmbeddingWorker({ db, tracing, options: embedding, log: areaLogs.search })] : []),
    startSweeper({ sweeps, intervalMs: retention.intervalMs, onPruned, log }),
    ...(searchServer
      ? [startIndexSync({ db, tracing, server: searchServer, clock, log: areaLogs.search })]
      : []),
  ];
  reanalyzeStaleChunks(db).catch((error) => log.warn({ err: error }, 'could not renew the search terms'));
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
