import type { Migration } from 'kysely';
import * as initial from './0001-initial.js';
import * as ingestion from './0002-ingestion.js';
import * as searchIndex from './0003-search-index.js';
import * as apiKeys from './0004-api-keys.js';
import * as rateLimits from './0005-rate-limits.js';
import * as webhooks from './0006-webhooks.js';
import * as writes from './0007-writes.js';
import * as tenantWalls from './0008-tenant-walls.js';
import * as tenancy from './0009-tenancy.js';
import * as jobLanes from './0010-job-lanes.js';
import * as processingJobs from './0011-processing-jobs.js';
import * as usageChanges from './0012-usage-changes.js';
import * as postings from './0013-postings.js';
import * as tenantLedKeys from './0014-tenant-led-keys.js';
import * as listCounters from './0015-list-counters.js';
import * as tokenLeases from './0016-token-leases.js';
import * as embeddings from './0017-embeddings.js';
import * as embeddingPrecedence from './0018-embedding-precedence.js';
import * as sessions from './0019-sessions.js';
import * as chunkOriginals from './0020-chunk-originals.js';
import * as evaluations from './0021-evaluations.js';
import * as overview from './0022-overview.js';
import * as documentWarnings from './0023-document-warnings.js';
import * as tenantDeletion from './0024-tenant-deletion.js';
import * as retention from './0025-retention.js';
import * as auditPartitions from './0026-audit-partitions.js';
import * as traceContext from './0029-trace-context.js';
import * as openModeKeys from './0030-open-mode-keys.js';
import * as slowQuestions from './0031-slow-questions.js';
import * as postingWords from './0032-posting-words.js';
import * as modelCosines from './0033-model-cosines.js';
import * as searchDocuments from './0035-search-documents.js';
import * as documentNames from './0036-document-names.js';
import * as synonyms from './0037-synonyms.js';
import * as deadSegments from './0038-dead-segments.js';
import * as enabledNames from './0039-enabled-names.js';
import * as copiedDatasets from './0040-copied-datasets.js';
import * as processedTime from './0041-processed-time.js';
import * as searchFilters from './0043-search-filters.js';
import * as centeredCosines from './0044-centered-cosines.js';
import * as orderedFilterIndex from './0045-ordered-filter-index.js';
import * as statementsForTriggers from './0046-statements-for-triggers.js';
import * as cluster from './0047-cluster.js';
import * as listCountersByTenant from './0048-list-counters-by-tenant.js';
import * as jobsWithoutForeignKey from './0049-jobs-without-foreign-key.js';
import * as embeddingRevisions from './0051-embedding-revisions.js';
import * as dropAuditPartition from './0052-drop-audit-partition.js';
import * as appendMessages from './0053-append-messages.js';
import * as messageSequences from './0054-message-sequences.js';
import * as messageStreams from './0055-message-streams.js';
import * as idleConversations from './0056-idle-conversations.js';
import * as sortConversations from './0057-sort-conversations.js';
import * as judgedConversations from './0058-judged-conversations.js';
import * as messageSearch from './0059-message-search.js';
import * as retentionAndErasure from './0060-retention-and-erasure.js';
import * as conversationCounts from './0061-conversation-counts.js';
import * as earlierMessages from './0062-earlier-messages.js';
import * as members from './0063-members.js';
import * as messageMetadata from './0064-message-metadata.js';
import * as userSessions from './0065-user-sessions.js';
import * as extraction from './0066-extraction.js';
import * as documentExtraction from './0067-document-extraction.js';
import * as documentOrder from './0068-document-order.js';
import * as lastBackup from './0069-last-backup.js';
import * as datasetSearches from './0070-dataset-searches.js';
import * as movedDatasetSearches from './0071-moved-dataset-searches.js';
import * as judgedMessages from './0072-judged-messages.js';

/** Every migration, by the name under which it is recorded. Applied in the order of the names. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-ingestion': ingestion,
  '0003-search-index': searchIndex,
  '0004-api-keys': apiKeys,
  '0005-rate-limits': rateLimits,
  '0006-webhooks': webhooks,
  '0007-writes': writes,
  '0008-tenant-walls': tenantWalls,
  '0009-tenancy': tenancy,
  '0010-job-lanes': jobLanes,
  '0011-processing-jobs': processingJobs,
  '0012-usage-changes': usageChanges,
  '0013-postings': postings,
  '0014-tenant-led-keys': tenantLedKeys,
  '0015-list-counters': listCounters,
  '0016-token-leases': tokenLeases,
  '0017-embeddings': embeddings,
  '0018-embedding-precedence': embeddingPrecedence,
  '0019-sessions': sessions,
  '0020-chunk-originals': chunkOriginals,
  '0021-evaluations': evaluations,
  '0022-overview': overview,
  '0023-document-warnings': documentWarnings,
  '0024-tenant-deletion': tenantDeletion,
  '0025-retention': retention,
  '0026-audit-partitions': auditPartitions,
  '0029-trace-context': traceContext,
  '0030-open-mode-keys': openModeKeys,
  '0031-slow-questions': slowQuestions,
  '0032-posting-words': postingWords,
  '0033-model-cosines': modelCosines,
  '0035-search-documents': searchDocuments,
  '0036-document-names': documentNames,
  '0037-synonyms': synonyms,
  '0038-dead-segments': deadSegments,
  '0039-enabled-names': enabledNames,
  '0040-copied-datasets': copiedDatasets,
  '0041-processed-time': processedTime,
  '0043-search-filters': searchFilters,
  '0044-centered-cosines': centeredCosines,
  '0045-ordered-filter-index': orderedFilterIndex,
  '0046-statements-for-triggers': statementsForTriggers,
  '0047-cluster': cluster,
  '0048-list-counters-by-tenant': listCountersByTenant,
  '0049-jobs-without-foreign-key': jobsWithoutForeignKey,
  '0051-embedding-revisions': embeddingRevisions,
  '0052-drop-audit-partition': dropAuditPartition,
  '0053-append-messages': appendMessages,
  '0054-message-sequences': messageSequences,
  '0055-message-streams': messageStreams,
  '0056-idle-conversations': idleConversations,
  '0057-sort-conversations': sortConversations,
  '0058-judged-conversations': judgedConversations,
  '0059-message-search': messageSearch,
  '0060-retention-and-erasure': retentionAndErasure,
  '0061-conversation-counts': conversationCounts,
  '0062-earlier-messages': earlierMessages,
  '0063-members': members,
  '0064-message-metadata': messageMetadata,
  '0065-user-sessions': userSessions,
  '0066-extraction': extraction,
  '0067-document-extraction': documentExtraction,
  '0068-document-order': documentOrder,
  '0069-last-backup': lastBackup,
  '0070-dataset-searches': datasetSearches,
  '0071-moved-dataset-searches': movedDatasetSearches,
  '0072-judged-messages': judgedMessages,
};
