import type { Database } from '../../db/schema.js';
import { runYielding } from '../async/steps.js';
import type { SignIn } from '../auth/sign-in/sign-in.js';
import type { Config } from '../config/config.js';
import { extractKeywordsInSteps } from '../ingestion/chunking/keywords/keywords.js';
import type { Extraction } from '../ingestion/extraction/extraction.js';
import { jobQueue } from '../ingestion/jobs/job-queue.js';
import type { Activity } from '../metrics/activity.js';
import type { DatasetSearches } from '../metrics/dataset-searches.js';
import type { SearchMetrics } from '../metrics/prometheus/search-metrics.js';
import type { ReadBacklogs } from '../metrics/read-backlogs.js';
import type { Services } from '../routers/index.js';
import { createApiKeys } from '../services/api-keys/api-keys.js';
import { createAudit } from '../services/audit/audit.js';
import { createChunks } from '../services/chunks/chunks.js';
import { createConversations } from '../services/conversations/conversations.js';
import { createMessages } from '../services/conversations/messages.js';
import { createTransfers } from '../services/conversations/transfer/transfers.js';
import { createDatasets } from '../services/datasets/datasets.js';
import type { DocumentsDependencies } from '../services/documents/documents.js';
import { createDocuments } from '../services/documents/documents.js';
import { createEvaluations } from '../services/evaluations/evaluations.js';
import { createEvaluationRuns } from '../services/evaluations/run-collection.js';
import type { Files } from '../services/files/files.js';
import { createLabels } from '../services/labels/labels.js';
import { createMembers } from '../services/members/members.js';
import { createOverview } from '../services/overview/overview.js';
import { createReach } from '../services/reach/reach.js';
import { createRetention } from '../services/retention/retention.js';
import { countSearches } from '../services/search/count-searches.js';
import { createExplainedSearches } from '../services/search/explained-search.js';
import { createSearch } from '../services/search/search.js';
import { createSearchAdmin } from '../services/search/search-admin.js';
import { createSuggest } from '../services/search/suggest.js';
import { createSearchableWaits } from '../services/search/wait-until-searchable.js';
import { createSessions } from '../services/sessions/sessions.js';
import { createUserSessions } from '../services/sessions/user-sessions.js';
import type { WriteTransaction } from '../services/shared/write-transaction.js';
import { createSynonymLists } from '../services/synonyms/synonyms.js';
import { createUserErasures } from '../services/users/erasures.js';
import { createWebhooks } from '../services/webhooks/webhooks.js';
import type { FileStorage } from '../storage/file-storage.js';
import type { ValidateWebhookUrl } from '../webhook-delivery/validate-url.js';
import type { createPreview } from './processing.js';
import type { createSearchIndex } from './search.js';
import { describeServer } from './server-info.js';
import type { createSourceTexts } from './source-texts.js';

interface ServicesDependencies {
  db: Database;
  /** Connections for searches alone. */
  searchDb: Database;
  clock: () => Date;
  files: Files;
  storage: FileStorage;
  quotas: DocumentsDependencies['quotas'];
  search: ReturnType<typeof createSearchIndex>;
  activity: Activity;
  datasetSearches: DatasetSearches;
  extraction: Extraction | undefined;
  metrics: SearchMetrics;
  readBacklogs: ReadBacklogs;
  preview: ReturnType<typeof createPreview>;
  sourceTexts: ReturnType<typeof createSourceTexts>;
  readSitemap: DocumentsDependencies['readSitemap'];
  validateWebhookUrl: ValidateWebhookUrl;
  writeTransaction: WriteTransaction;
  signIn: SignIn;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
}

/** The domain logic, which the routers call. */
export function createServices(config: Config, dependencies: ServicesDependencies): Services {
  const { db, searchDb, clock, files, search, writeTransaction, stopping } = dependencies;
  const { maxPageSize } = config;
  const shared = { db, writeTransaction, clock, maxPageSize };
  const { server: searchServer, index, postgres, messages: messageIndex, operations } = search;
  const chunkSearch = createSearch({ db: searchDb, index, maxPageSize });
  const countedSearch = countSearches(chunkSearch, dependencies);
  const placed = { ...shared, defaultTenantUnit: config.defaultTenantUnit };
  const conversations = createConversations(placed);
  const apiKeys = createApiKeys(shared);
  const webhooks = createWebhooks({ ...shared, validateUrl: dependencies.validateWebhookUrl });
  return {
    conversations,
    labels: createLabels(shared),
    messages: createMessages({ ...placed, searchDb, messageIndex, conversations, stopping }),
    transfers: createTransfers(shared),
    documents: createDocuments({
      ...shared,
      files,
      jobs: jobQueue,
      quotas: dependencies.quotas,
      readSitemap: dependencies.readSitemap,
      makePreview: dependencies.preview.makePreview,
      storage: dependencies.storage,
      readSourceText: dependencies.sourceTexts.read,
      stopping,
    }),
    chunks: createChunks({
      ...shared,
      extractKeywords: (text) => runYielding(extractKeywordsInSteps(text)),
    }),
    search: countedSearch,
    suggest: createSuggest({ db: searchDb, index: postgres, operations, maxPageSize }),
    searchableWaits: createSearchableWaits({ db, hasOutbox: searchServer !== undefined, stopping }),
    explainedSearches: createExplainedSearches({ search: countedSearch, operations }),
    evaluations: createEvaluations(shared),
    evaluationRuns: createEvaluationRuns({ ...shared, search: chunkSearch }),
    synonyms: createSynonymLists(shared),
    searchAdmin: createSearchAdmin({ db, operations, writeTransaction, maxPageSize }),
    files,
    apiKeys,
    sessions: createSessions({
      db,
      writeTransaction,
      clock,
      server: describeServer(config, index, dependencies.extraction),
      users: createUserSessions({ db, writeTransaction, clock, signIn: dependencies.signIn }),
    }),
    datasets: createDatasets({ db, clock, maxPageSize }),
    reach: createReach({ db }),
    overview: createOverview({
      db,
      clock,
      apiKeys,
      webhooks,
      operations,
      readBacklogs: dependencies.readBacklogs,
      quotas: {
        ...config.quotas,
        embeddedTokens: config.embedding?.tokenQuota,
        extractedPages: config.extraction?.pageQuota,
      },
    }),
    audit: createAudit({ db, maxPageSize }),
    webhooks,
    retention: createRetention(shared),
    userErasures: createUserErasures(shared),
    members: createMembers(shared),
  };
}
