import { JSON_FIELDS } from '../read-export.js';
import { conversationRecord, messageRecord, RECORD_FORMAT } from '../transfer.schema.js';
import type { TranscriptFormat } from './format.js';

/** What an import reads: a line of JSON for each conversation and message. */
export const ndjson: TranscriptFormat = {
  start: '',
  end: '',
  conversation: (conversation) =>
    toLine({ record: 'conversation', format: RECORD_FORMAT }, conversation, CONVERSATION_FIELDS),
  message: (message) =>
    toLine({ record: 'message', conversationId: message.conversationId }, message, MESSAGE_FIELDS),
};

const CONVERSATION_FIELDS = Object.keys(conversationRecord.shape);
const MESSAGE_FIELDS = Object.keys(messageRecord.shape);

function toLine(first: object, row: object, names: string[]): string {
  const fields = names.map((name) => {
    const value = (row as Record<string, unknown>)[name];
    const isJson = JSON_FIELDS.has(name) && value !== null;
    return `,${JSON.stringify(name)}:${isJson ? value : JSON.stringify(value)}`;
  });
  return `${JSON.stringify(first).slice(0, -1)}${fields.join('')}}\n`;
}
