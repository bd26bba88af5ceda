import { MAX_IMPORTED_MESSAGES } from '../../services/conversations/transfer/transfer.schema.js';
import type { Line, NumberedRecord } from './read-records.js';

/** Of a part: a server takes 16 MiB, and 50,000 values, of JSON. */
export const MAX_PART_SIZE = 2 ** 20;
/** Of a conversation, before any of it is sent: one of its lines may yet be at fault. */
const MAX_HELD_SIZE = 64 * 2 ** 20;

/** A conversation, or a part of a long one. */
export interface Part {
  conversation: NumberedRecord;
  messages: NumberedRecord[];
  size: number;
}

export interface Fault {
  line: number;
  reason: string;
}

/**
 * Puts messages to their conversation, and gives each conversation as a whole, a long one in several parts. Of one with a
 * fault, gives the fault alone.
 */
export async function* groupRecords(lines: AsyncIterable<Line>): AsyncGenerator<Part[] | Fault> {
  let parts: Part[] = [];
  /** The lines of a conversation with a fault are passed over. */
  let isRefused = false;
  for await (const line of lines) {
    if (line.kind === 'conversation') {
      if (parts.length > 0) yield parts;
      parts = [begin(line.record)];
      isRefused = false;
    } else {
      const last = parts.at(-1);
      const fault = line.kind === 'fault' ? line : findMisplaced(line.record, last);
      if (fault) {
        if (!isRefused || line.kind === 'fault') yield { line: fault.line, reason: fault.reason };
        parts = [];
        isRefused = true;
      } else if (line.kind === 'message' && last) {
        add(parts, last, line.record);
        if (sizeOf(parts) > MAX_HELD_SIZE) yield parts.splice(0, parts.length - 1);
      }
    }
  }
  if (parts.length > 0) yield parts;
}

const begin = (conversation: NumberedRecord): Part => ({
  conversation,
  messages: [],
  size: conversation.size,
});

function add(
  parts: Part[],
  last: Part,
  { value: { conversationId: _, ...value }, ...rest }: NumberedRecord,
): void {
  const isFull = last.messages.length === MAX_IMPORTED_MESSAGES || last.size + rest.size > MAX_PART_SIZE;
  const part = isFull && last.messages.length > 0 ? begin(last.conversation) : last;
  if (part !== last) parts.push(part);
  part.messages.push({ ...rest, value });
  part.size += rest.size;
}

const sizeOf = (parts: Part[]): number => parts.reduce((sum, { size }) => sum + size, 0);

function findMisplaced({ line, value }: NumberedRecord, part: Part | undefined): Fault | undefined {
  if (part && value.conversationId === part.conversation.value.id) return undefined;
  return { line, reason: 'conversationId: must be the id of the conversation in the lines before' };
}
