import { z } from 'zod';
import { jsonRecord, nullableText } from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { conversationRef } from './conversations.schema.js';

export const message = z.object({
  id: z.string(),
  tenantId: z.string(),
  tenantUnitId: z.string(),
  agentId: z.string(),
  userId: z.string(),
  conversationId: z.string(),
  runId: z.string(),
  messageFrom: z.string(),
  content: z.string(),
  requestedTime: z.date(),
  inputTokens: z.number().nullable(),
  answerTokens: z.number().nullable(),
  totalTokens: z.number().nullable(),
  feedback: nullableText,
  metadata: jsonRecord().nullable(),
  type: nullableText,
  userType: nullableText,
  status: nullableText,
  eventTrace: nullableText,
  createdBy: nullableText,
  updatedBy: nullableText,
  createdByRole: nullableText,
  updatedByRole: nullableText,
});
export type Message = z.output<typeof message>;

export const messageFilter = conversationRef.extend({
  ...pageParameters(20),
  order: z.enum(['recent', 'oldest']).default('oldest'),
});
export type MessageFilter = z.output<typeof messageFilter>;
