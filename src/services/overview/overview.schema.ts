import { z } from 'zod';
import { documentStages, documentStatuses, jobLanes, runStatuses } from '../../../db/enums.js';
import { filterValue, nullableText, storedValue } from '../shared/fields.schema.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

const count = z.object({
  count: z.int(),
  /** There are more: they are not counted yet. */
  isLowerBound: z.boolean(),
});
export type Count = z.output<typeof count>;

/** What is used of a quota; without limit where that is null. */
const used = z.object({ used: z.int(), limit: z.int().nullable() });

export const overviewRequest = z.object({ scope: requiredTenantScope });
export type OverviewRequest = z.output<typeof overviewRequest>;

const recordOf = <Name extends string, T extends z.ZodType>(names: readonly Name[], value: T) =>
  z.object(Object.fromEntries(names.map((name) => [name, value])) as Record<Name, T>);

/** Each part is null where the key may not see it; `search` also while it cannot be read. */
export const overview = z.object({
  documents: recordOf(documentStatuses, count).nullable(),
  conversations: recordOf([...runStatuses, 'none'] as const, count).nullable(),
});
export type Overview = z.output<typeof overview>;

/** Each part is null where the key may not see it. */
export const attention = z.object({
  documents: z
    .object({
      failed: count,
      /** Why they have failed, the most frequent first; of the newest 10,000. */
      failures: z.array(z.object({ code: z.string(), count: z.int() })),
      withWarnings: count,
    })
    .nullable(),
  conversations: z.object({ inputRequired: count, reviewRequested: count }).nullable(),
  /** Of all units that the key reaches, as webhooks and keys are of the tenant. */
  webhooks: z.object({ paused: z.int(), failing: z.int() }).nullable(),
  /** Without those that another key has replaced. */
  apiKeys: z.object({ expiring: z.int(), expired: z.int() }).nullable(),
  /** Of all tenants of the server. */
  search: z
    .object({
      isServed: z.boolean(),
      /** Changes that have not reached the index; null unless one has waited for a minute. */
      indexBehind: count.extend({ oldestSeconds: z.int() }).nullable(),
      /** Chunks that the search server has rejected. */
      rejected: count,
      /** Chunks that wait to be embedded; null where they are fewer than 1,000. */
      embeddingBehind: count.nullable(),
      /** Chunks whose embedding has failed. */
      embeddingFailed: count,
    })
    .nullable(),
  /** The last backup of all tenants, by `lectern backup`; null where there was none. */
  backup: z
    .object({
      lastTime: z.date(),
      /** It is more than eight days old. */
      isOverdue: z.boolean(),
    })
    .nullable(),
});
export type Attention = z.output<typeof attention>;

/** Of the tenant as a whole, so null for a scope or a key of some units or datasets. */
export const usage = z
  .object({ documents: used, chunks: used, bytes: used, embeddedTokens: used, extractedPages: used })
  .nullable();
export type Usage = z.output<typeof usage>;

export const ratePeriods = ['hour', 'day'] as const;

export const rateRequest = z.object({
  scope: requiredTenantScope,
  /** The last hour by minutes, or the last day by quarters of an hour. */
  period: z.enum(ratePeriods).default('hour'),
});
export type RateRequest = z.output<typeof rateRequest>;

export const rate = z.object({
  /** When it begins. */
  time: z.date(),
  ready: z.int(),
  failed: z.int(),
  chunks: z.int(),
  searches: z.int(),
  searchesFailed: z.int(),
  /** How long searches took; null where none was answered. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
export type Rate = z.output<typeof rate>;

/** Of the tenant as a whole, so without rates for a scope or a key of some units or datasets. */
export const rates = z.object({ stepSeconds: z.int(), rates: z.array(rate).nullable() });
export type Rates = z.output<typeof rates>;

/** In UTC. */
const day = z.iso
  .date()
  .max(10)
  .refine((value) => value >= '1970', 'must not be before 1970');

export const conversationsRequest = z.object({
  scope: requiredTenantScope,
  /** Both are included, and at most 366 days: the last 30 where none is given. */
  from: day.optional(),
  to: day.optional(),
  /** Only conversations of this agent. */
  agentId: filterValue().optional(),
});
export type ConversationsRequest = z.output<typeof conversationsRequest>;

const conversationNumbers = z.object({
  /** Those that were created. */
  conversations: z.int(),
  userMessages: z.int(),
  /** Whoever wrote them, but for the user. */
  agentMessages: z.int(),
  inputTokens: z.number(),
  answerTokens: z.number(),
  totalTokens: z.number(),
  /** Verdicts on messages of the time. */
  up: z.int(),
  down: z.int(),
  /** Of the conversations that were created: how many have an answer, and how long the first one took. */
  firstAnswers: z.object({
    count: z.int(),
    averageMs: z.number().nullable(),
    /** Estimates, like the 95th percentile: the answers are counted in ranges of time. */
    medianMs: z.number().nullable(),
    p95Ms: z.number().nullable(),
  }),
});
export type ConversationNumbers = z.output<typeof conversationNumbers>;

export const conversationsOverview = z.object({
  /** Every day, also without anything. */
  days: z.array(conversationNumbers.extend({ day: z.string() })),
  total: conversationNumbers,
  /** At most 20, those with the most conversations first. */
  agents: z.array(conversationNumbers.extend({ agentId: z.string() })),
  /** Of all other agents; null where there are none. */
  otherAgents: conversationNumbers.nullable(),
  /** How many there are now, whenever they were created. */
  statuses: recordOf([...runStatuses, 'none'] as const, count),
});
export type ConversationsOverview = z.output<typeof conversationsOverview>;

export const queue = z.object({
  /** Jobs that are due, and those that are tried again later. */
  waiting: count,
  retrying: count,
  running: z.int(),
  /** Since when the oldest of those that wait are queued. */
  oldestTime: z.date().nullable(),
  /** Of the running ones, as far as they have begun. */
  byStage: recordOf(documentStages, z.int()),
  /** The next to be begun, in each lane in their order. */
  next: z.array(
    z.object({
      documentId: z.string(),
      documentName: nullableText,
      lane: storedValue(jobLanes),
      queuedTime: z.date(),
      /** Attempts that failed. */
      attempts: z.int(),
      /** When it is tried again; null where it is due. */
      nextAttemptTime: z.date().nullable(),
    }),
  ),
});
export type Queue = z.output<typeof queue>;

const rateLimitUnits = ['requests', 'content-bytes'] as const;

/** What a process of the server allows the caller. */
export const limitsInUse = z.object({
  rates: z.array(
    z.object({
      policy: z.string(),
      unit: z.enum(rateLimitUnits),
      amount: z.int(),
      seconds: z.int(),
      remaining: z.int(),
      /** Until more is available. */
      resetSeconds: z.int(),
    }),
  ),
  streams: z.array(
    z.object({ subject: z.enum(['key', 'user', 'tenant', 'address']), open: z.int(), limit: z.int() }),
  ),
});
export type LimitsInUse = z.output<typeof limitsInUse>;
