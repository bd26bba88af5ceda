import type { ExportedConversation, ExportedMessage } from '../read-export.js';
import { namesOf, type TranscriptFormat } from './format.js';

type Value = string | number | null;

const COLUMNS: Record<string, (message: ExportedMessage, conversation: ExportedConversation) => Value> = {
  conversationId: (m) => m.conversationId,
  tenantUnitId: (_, c) => c.tenantUnitId,
  topic: (_, c) => c.topic,
  conversationStatus: (_, c) => c.status,
  assignmentId: (_, c) => c.assignmentId,
  labels: (_, c) => namesOf(c.labels),
  messageId: (m) => m.id,
  requestedTime: (m) => m.requestedTime,
  messageFrom: (m) => m.messageFrom,
  content: (m) => m.content,
  agentId: (m) => m.agentId,
  userId: (m) => m.userId,
  runId: (m) => m.runId,
  type: (m) => m.type,
  userType: (m) => m.userType,
  status: (m) => m.status,
  feedback: (m) => m.feedback,
  feedbackNote: (m) => m.feedbackNote,
  feedbackBy: (m) => m.feedbackBy,
  feedbackTime: (m) => m.feedbackTime,
  inputTokens: (m) => m.inputTokens,
  answerTokens: (m) => m.answerTokens,
  totalTokens: (m) => m.totalTokens,
  metadata: (m) => m.metadata,
  eventTrace: (m) => m.eventTrace,
};

/** A row for each message, as RFC 4180 has it. A conversation without messages has none. */
export const csv: TranscriptFormat = {
  start: toRow(Object.keys(COLUMNS)),
  end: '',
  conversation: () => '',
  message: (message, conversation) =>
    toRow(Object.values(COLUMNS).map((read) => read(message, conversation))),
};

function toRow(values: Value[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

function toCell(value: Value): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // A spreadsheet calculates what begins like that, and a formula may send what it reads to another server.
  const cell = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
