import { z } from 'zod';
import { searchLanguages } from '../../search/chunk-index.js';
import { filterValue, nonEmptyText, nullableText, timestamp } from '../shared/fields.schema.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';
import { conversationConditions } from './conversations.schema.js';

const MAX_QUERY = 8_000;
const MAX_HITS = 100;

const tokens = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

export const messageSearch = z.object({
  scope: requiredTenantScope,
  query: nonEmptyText(MAX_QUERY),
  /** Whose stop words are left out of the query. */
  language: z.enum(searchLanguages).default('english'),
  limit: z.int().min(1).max(MAX_HITS).default(20),
  ...conversationConditions,
  /** Of messages, like what follows; with any of it, topics are not searched. */
  feedback: filterValue().optional(),
  requestedFrom: timestamp().optional(),
  requestedBefore: timestamp().optional(),
  /** Of all tokens of a message. */
  minTokens: tokens.optional(),
  maxTokens: tokens.optional(),
});
export type MessageSearch = z.output<typeof messageSearch>;

export const messageHit = z.object({
  conversationId: z.string(),
  tenantUnitId: z.string(),
  topic: nullableText,
  agentId: z.string(),
  /** Of the conversation. */
  userId: z.string(),
  /** Of the conversation. */
  status: nullableText,
  /** Null, like what follows: the topic is the hit. */
  messageId: z.string().nullable(),
  messageFrom: nullableText,
  requestedTime: z.date().nullable(),
  /** The text around the first match. */
  passage: z.string(),
  /** Where the passage has words of the query: start and end, in UTF-16 units; the end is behind it. */
  marks: z.array(z.tuple([z.int(), z.int()])),
  /** 0 to 1. */
  score: z.number(),
});
export type MessageHit = z.output<typeof messageHit>;

export const foundMessages = z.object({
  /** Best first. */
  hits: z.array(messageHit),
  /** Whether there may be more that were not looked at. */
  isTruncated: z.boolean(),
});
export type FoundMessages = z.output<typeof foundMessages>;
