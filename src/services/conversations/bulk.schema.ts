import { z } from 'zod';
import { runStatuses } from '../../../db/enums.js';
import { labelDifference } from '../labels/labels.schema.js';
import { identifier, nullableText, storedValue, text } from '../shared/fields.schema.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';
import { conversationConditions, runStatus } from './conversations.schema.js';

/** Conversations of a step. */
export const MAX_BULK_STEP = 500;
const MAX_CURSOR_LENGTH = 1_000;

/** Where a step begins. */
const position = z.object({
  /** When the first step began: later conversations are not touched. */
  until: z.iso.datetime(),
  /** Of the last conversation that was looked at. */
  time: z.iso.datetime(),
  id: identifier(),
});
export type BulkPosition = z.output<typeof position>;

export const toCursor = (at: BulkPosition): string => Buffer.from(JSON.stringify(at)).toString('base64url');

const cursor = text(MAX_CURSOR_LENGTH).transform((value, context) => {
  const read = position.safeParse(readJson(Buffer.from(value, 'base64url').toString()));
  if (read.success) return read.data;
  context.addIssue({ code: 'custom', message: 'must be `next` of a former answer' });
  return z.NEVER;
});

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const bulkChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('setStatus'), status: runStatus.nullable() }),
  z.object({ action: z.literal('assign'), assignmentId: identifier().nullable() }),
  labelDifference.safeExtend({ action: z.literal('setLabels') }),
  z.object({ action: z.literal('delete') }),
]);
export type BulkChange = z.output<typeof bulkChange>;

export const conversationBulk = z.object({
  scope: requiredTenantScope,
  filter: z.object(conversationConditions).strict(),
  change: bulkChange,
  /** `next` of the former step; the first one if undefined. */
  after: cursor.optional(),
  /** Conversations to look at. */
  limit: z.int().min(1).max(MAX_BULK_STEP).default(100),
});
export type ConversationBulk = z.output<typeof conversationBulk>;

export const bulkStep = z.object({
  /** Oldest first. Those that were so before are not among them. */
  changed: z.array(
    z.object({
      conversationId: z.string(),
      /** After the change; of a deleted one the last. */
      version: z.int(),
      before: z.object({
        status: storedValue(runStatuses).nullable(),
        assignmentId: nullableText,
        labels: z.array(z.string()),
      }),
    }),
  ),
  /** Conversations that would have too many labels, and keep theirs; or that a legal hold keeps from being deleted. */
  skipped: z.array(z.string()),
  /** For the next step; null: this was the last one. */
  next: z.string().nullable(),
});
export type BulkStep = z.output<typeof bulkStep>;
