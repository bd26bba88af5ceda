import { z } from 'zod';
import { rebuildPhases } from '../../../db/enums.js';
import { missCauses } from '../../search/chunk-index.js';
import { indexStates, MAX_LISTED_TASKS, taskStatuses } from '../../search/operations/search-operations.js';
import { boundedArray, filterValue, identifier, storedValue } from '../shared/fields.schema.js';
import { MAX_BATCH } from '../shared/pagination.js';
import { requiredTenantScope, strictTenantScope, type TenantScope } from '../shared/tenant-scope.js';
import { chunkSearch, scoreParts, searchEngine, searchedTerms, searchMode } from './search.schema.js';

export const searchStatus = z.object({
  engine: searchEngine,
  served: z.boolean(),
  reason: z.string().nullable(),
  fallback: z.boolean(),
  chunks: z.int(),
  postings: z.object({ segments: z.int(), changes: z.int(), stale: z.int() }),
  embedding: z
    .object({
      model: z.string(),
      url: z.string(),
      dimensions: z.int(),
      scripts: z.array(z.string()),
      filled: z.boolean(),
      next: z.string().nullable(),
      waiting: z.int(),
      failed: z.int(),
      errors: z.array(z.object({ chunkId: z.string(), error: z.string() })),
      texts: z.int(),
      tokens: z.int(),
    })
    .nullable(),
  server: z
    .object({
      url: z.string(),
      reachable: z.boolean(),
      error: z.string().nullable(),
      version: z.string().nullable(),
    })
    .nullable(),
  index: z
    .object({
      uid: z.string(),
      state: z.enum(indexStates),
      documents: z.int().nullable(),
      documentBytes: z.int().nullable(),
      settingsDifferences: z.int().nullable(),
      filling: z.object({ done: z.int(), total: z.int() }).nullable(),
      rebuild: z
        .object({
          uid: z.string(),
          phase: storedValue(rebuildPhases),
          copied: z.int(),
          total: z.int(),
          startedTime: z.date(),
        })
        .nullable(),
    })
    .nullable(),
  changes: z
    .object({
      waiting: z.int(),
      sent: z.int(),
      oldestTime: z.date().nullable(),
      setAside: z.object({
        count: z.int(),
        first: z.array(z.object({ chunkId: z.string(), error: z.string() })),
      }),
      syncedTime: z.date().nullable(),
      error: z.object({ message: z.string(), time: z.date().nullable() }).nullable(),
    })
    .nullable(),
});

export const settingDifference = z.object({
  setting: z.string(),
  wanted: z.unknown(),
  found: z.unknown(),
  rebuilds: z.boolean(),
});

export const taskFilter = z.object({
  statuses: boundedArray(z.enum(taskStatuses), taskStatuses.length, 1).optional(),
  limit: z.int().min(1).max(MAX_LISTED_TASKS).default(20),
});

export const indexTask = z.object({
  uid: z.int(),
  type: z.string(),
  status: z.enum(taskStatuses),
  indexes: z.array(z.string()),
  documents: z.int().nullable(),
  changes: z.int(),
  enqueuedTime: z.date(),
  startedTime: z.date().nullable(),
  finishedTime: z.date().nullable(),
  durationMs: z.number().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

const differing = z.object({ count: z.int(), ids: z.array(z.string()) });

export const verification = z.object({
  chunks: z.int(),
  documents: z.int(),
  waiting: z.int(),
  setAside: z.int(),
  missing: differing,
  outdated: differing,
  surplus: differing,
  repaired: z.int(),
});

/** What the token reads: at most what the key reaches. */
export const tokenRequest = z.object({
  scope: strictTenantScope,
  /** Any of these; all within reach if undefined. */
  datasetIds: boundedArray(filterValue(), MAX_BATCH, 1).optional(),
});
export type TokenRequest = Omit<z.output<typeof tokenRequest>, 'scope'> & {
  scope: TenantScope & { tenantId: string };
};

export const searchToken = z.object({
  /** Address of the Meilisearch server. */
  url: z.string(),
  indexUid: z.string(),
  token: z.string(),
  expiresTime: z.date(),
});

/** The index is that of all tenants; the repair is in the audit log of this one. */
export const indexRepair = z.object({ scope: requiredTenantScope });
export type IndexRepair = z.output<typeof indexRepair>;

/** A search, and a chunk of which to tell why it is or is not among the hits. */
export const searchToExplain = chunkSearch.omit({ context: true }).extend({
  chunk: z.object({ documentId: identifier(), chunkId: identifier() }).optional(),
});
export type SearchToExplain = z.output<typeof searchToExplain>;

export const searchExplanation = z.object({
  engine: searchEngine,
  mode: searchMode,
  terms: searchedTerms,
  chunks: z.int(),
  hits: z.array(z.object({ chunkId: z.string(), score: z.number(), ...scoreParts.shape })),
  truncated: z.boolean(),
  chunk: z
    .object({
      chunkId: z.string(),
      rank: z.int().nullable(),
      score: z.number().nullable(),
      ...scoreParts.shape,
      held: z.array(z.string()),
      missed: z.array(z.string()),
      reasons: z.array(z.string()),
      /** What each of the reasons says. */
      causes: z.array(z.enum(missCauses)),
    })
    .optional(),
});
