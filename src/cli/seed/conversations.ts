import { v5 as uuidFromName } from 'uuid';
import type { Database, Queryable } from '../../../db/schema.js';
import { conversationListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { DEMO } from './demo-tenant.js';
import { TRANSCRIPTS, type Transcript } from './transcripts.js';

const NAMESPACE = '7f6c1d0a-52de-4f3c-9c1b-3a8f0d6e2b45';
const AGENT = uuidFromName('support-agent', NAMESPACE);
const FIRST_DAY = new Date(Date.UTC(2026, 4, 4, 9, 0));
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The conversation that is long enough to page through, and what is said in it again and again. */
const LONG_STATUS = 'running';
const LONG_CONVERSATION = 48;
const SMALL_TALK = [
  'I have looked again: nothing has arrived so far.',
  'Thank you for looking. The bank has confirmed the transfer; it is on its way.',
  'Should I write again tomorrow?',
  'Please do. I leave this conversation open until the money has arrived.',
];

/**
 * A conversation in each status, one of them long, with a history of the status. Written straight into the tables, as the agent
 * runtime does.
 *
 * @param firstDay of the first one; each further one begins a day later
 * @returns how many were added
 */
export async function seedConversations(db: Database, firstDay = FIRST_DAY): Promise<number> {
  let added = 0;
  for (const [i, transcript] of TRANSCRIPTS.entries()) {
    const time = new Date(firstDay.getTime() + i * DAY);
    if (await db.transaction().execute((tx) => seedConversation(tx, transcript, time))) added++;
  }
  return added;
}

async function seedConversation(db: Queryable, transcript: Transcript, time: Date): Promise<boolean> {
  const { status, topic, name, channel } = transcript;
  const place = { tenantId: DEMO.tenantId, tenantUnitId: DEMO.tenantUnitId };
  const id = uuidFromName(`conversation ${status}`, NAMESPACE);
  const userId = `user-${uuidFromName(name, NAMESPACE).slice(0, 6)}`;
  const messages = messagesOf(id, transcript, { userId, start: time });
  const end = messages.at(-1)?.requestedTime ?? time;
  const row = await db
    .insertInto('conversations')
    .values({
      ...place,
      id,
      topic,
      agentId: AGENT,
      agentMode: 'chat',
      agentType: 'support',
      userId,
      status,
      inputs: JSON.stringify({ channel, locale: /\p{sc=Han}/u.test(topic) ? 'zh-CN' : 'en' }),
      createdTime: time,
      updatedTime: end,
      createdBy: userId,
      updatedBy: 'support-agent',
      createdByName: name,
      updatedByName: 'Support agent',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  await writeCounts(db, { lists: conversationListChanges({ after: [row] }) });
  await db.insertInto('messages').values(messages).execute();
  const path = [null, 'submitted', 'running', status] as const;
  const isPassed = { submitted: 1, running: 2 }[status as string] ?? 3;
  const changes = Array.from({ length: isPassed }, (_, i) => ({
    ...place,
    conversationId: id,
    fromStatus: path[i] ?? null,
    toStatus: path[i + 1] ?? null,
    changedTime: i === 2 ? end : new Date(time.getTime() + i * 2_000),
    changedBy: i === 0 ? userId : 'support-agent',
  }));
  await db.insertInto('conversationStatusChanges').values(changes).execute();
  return true;
}

function messagesOf(
  conversationId: string,
  { status, turns, trace, feedback, channel }: Transcript,
  { userId, start }: { userId: string; start: Date },
) {
  const count = status === LONG_STATUS ? LONG_CONVERSATION : turns.length;
  return Array.from({ length: count }, (_, i) => {
    const isUser = i % 2 === 0;
    const isLast = i === count - 1;
    const content = turns[i] ?? (SMALL_TALK[(i - turns.length + 1) % SMALL_TALK.length] as string);
    const tokens = Math.ceil(content.length / 4);
    const inputTokens = isUser ? tokens : tokens + 180 * (i + 1);
    const answerTokens = isUser ? 0 : tokens;
    return {
      tenantId: DEMO.tenantId,
      tenantUnitId: DEMO.tenantUnitId,
      id: uuidFromName(`message ${i} of ${conversationId}`, NAMESPACE),
      conversationId,
      agentId: AGENT,
      userId,
      runId: uuidFromName(`run ${i >> 1} of ${conversationId}`, NAMESPACE),
      messageFrom: isUser ? 'user' : 'agent',
      content,
      requestedTime: new Date(start.getTime() + i * MINUTE),
      inputTokens,
      answerTokens,
      totalTokens: inputTokens + answerTokens,
      type: 'text',
      userType: isUser ? 'customer' : 'agent',
      status: isLast && status === 'failed' ? 'failed' : 'succeeded',
      feedback: isLast && !isUser ? (feedback ?? null) : null,
      metadata: JSON.stringify(isUser ? { channel } : { model: 'support-2', temperature: 0.2 }),
      eventTrace: isUser || trace.length === 0 ? null : JSON.stringify(toEvents(trace)),
      createdBy: isUser ? userId : 'support-agent',
    };
  });
}

const toEvents = (trace: Transcript['trace']) =>
  trace.map(([event, detail, durationMs], i) => ({ sequence: i + 1, event, detail, durationMs }));
