import { v5 as uuidFromName } from 'uuid';
import { type RunStatus, runStatuses } from '../../../db/enums.js';
import type { Database } from '../../../db/schema.js';
import { DEMO } from './demo.js';

const NAMESPACE = '7f6c1d0a-52de-4f3c-9c1b-3a8f0d6e2b45';
const AGENT = uuidFromName('support-agent', NAMESPACE);
const FIRST_DAY = Date.UTC(2026, 4, 4, 9, 0);
const MINUTE = 60_000;
/** Long enough to page through. */
const LONG_CONVERSATION = 48;

const TOPICS: Record<RunStatus, string> = {
  submitted: 'Change of delivery address',
  running: 'Refund for order 1042',
  succeeded: 'Reset of a forgotten password',
  failed: 'Export of last year’s invoices',
  stopped: 'Comparison of the two plans',
  canceled: 'Booking of an on-site visit',
  'input-required': 'Warranty claim without a receipt',
  'partial-succeeded': 'Import of 300 contacts',
  'review-requested': 'Discount for a school',
  reviewed: 'Complaint about a late parcel',
  unknown: '退货运费由谁承担',
};

const QUESTIONS = [
  'Where is my refund? The parcel went back two weeks ago.',
  'Which documents do you need from me?',
  'Can I have the money on my card instead of as a voucher?',
  'How long does the bank usually take?',
];
const ANSWERS = [
  'I see the return in our system. The refund was approved on Monday.',
  'A photo of the receipt is enough; the order number is on it.',
  'Yes. I have changed the payout to the card you paid with.',
  'Between three and five working days.',
];

/**
 * A conversation in each status, one of them long. Written straight into the tables, as the agent runtime does.
 *
 * @returns how many were added
 */
export async function seedConversations(db: Database): Promise<number> {
  let added = 0;
  for (const [i, status] of runStatuses.entries()) {
    const id = uuidFromName(`conversation ${status}`, NAMESPACE);
    const time = new Date(FIRST_DAY + i * 24 * 60 * MINUTE);
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('conversations')
      .values({
        tenantId: DEMO.tenantId,
        tenantUnitId: DEMO.tenantUnitId,
        id,
        topic: TOPICS[status],
        agentId: AGENT,
        agentMode: 'chat',
        agentType: 'support',
        userId: 'alex',
        status,
        inputs: JSON.stringify({ channel: i % 2 ? 'email' : 'web' }),
        createdTime: time,
        updatedTime: time,
        createdBy: 'alex',
        updatedBy: 'alex',
        createdByName: 'Alex Meier',
        updatedByName: 'Alex Meier',
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) continue;
    added++;
    const count = status === 'running' ? LONG_CONVERSATION : 2 + (i % 5);
    await db
      .insertInto('messages')
      .values(messagesOf(id, time, count))
      .execute();
  }
  return added;
}

function messagesOf(conversationId: string, start: Date, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const isUser = i % 2 === 0;
    const content = pick(isUser ? QUESTIONS : ANSWERS, i >> 1);
    const tokens = Math.ceil(content.length / 4);
    return {
      tenantId: DEMO.tenantId,
      tenantUnitId: DEMO.tenantUnitId,
      id: uuidFromName(`message ${i} of ${conversationId}`, NAMESPACE),
      conversationId,
      agentId: AGENT,
      userId: 'alex',
      runId: uuidFromName(`run ${i >> 1} of ${conversationId}`, NAMESPACE),
      messageFrom: isUser ? 'user' : 'agent',
      content,
      requestedTime: new Date(start.getTime() + i * MINUTE),
      inputTokens: isUser ? tokens : 0,
      answerTokens: isUser ? 0 : tokens,
      totalTokens: tokens,
      type: 'text',
      status: 'succeeded',
      createdBy: isUser ? 'alex' : 'support-agent',
    };
  });
}

const pick = (texts: string[], i: number): string => texts[i % texts.length] as string;
