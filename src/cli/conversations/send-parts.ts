import { type Lectern, readFailure } from '../../client/index.js';
import { type Fault, MAX_PART_SIZE, type Part } from './group-records.js';

/** Conversations in a request. */
const MAX_CONVERSATIONS = 20;

interface Target {
  lectern: Lectern;
  tenantId: string;
  /** Takes the place of the units of the conversations. */
  unit: string | undefined;
  onFault: (fault: Fault) => void;
}

/** Sends conversations, several in a request. Of those that a server refuses, it stores nothing and tells why. */
export function createSender({ lectern, tenantId, unit, onFault }: Target) {
  const done = { conversations: 0, messages: 0, sentConversations: 0, sentMessages: 0 };
  let batch: Part[] = [];
  /** The line of the last conversation that was refused: its other parts are not sent. */
  let refused: number | undefined;
  /** The line of the last conversation that was stored, maybe in several parts. */
  let counted: number | undefined;
  return { done, add, flush };

  async function add(parts: Part[]): Promise<void> {
    for (const part of parts) {
      const size = batch.reduce((sum, one) => sum + one.size, part.size);
      if (batch.length === MAX_CONVERSATIONS || size > MAX_PART_SIZE) await flush();
      batch.push(part);
    }
  }

  async function flush(): Promise<void> {
    const sent = batch;
    batch = [];
    if (sent.length > 0) await send(sent);
  }

  async function send(parts: Part[]): Promise<void> {
    try {
      const stored = await lectern.trpc.conversations.import.mutate({
        scope: { tenantId },
        conversations: parts.map(toInput) as never,
      });
      done.conversations += stored.conversations;
      done.messages += stored.messages;
      done.sentMessages += parts.reduce((sum, { messages }) => sum + messages.length, 0);
      for (const { conversation } of parts) {
        if (conversation.line !== counted) done.sentConversations += 1;
        counted = conversation.line;
      }
    } catch (error) {
      const faults = findFaults(error, parts);
      if (!faults) throw error;
      // All of them were refused, for one of them.
      if (parts.length > 1) return sendOneByOne(parts);
      for (const fault of faults) onFault(fault);
      refused = parts[0]?.conversation.line;
    }
  }

  async function sendOneByOne(parts: Part[]): Promise<void> {
    for (const part of parts) if (part.conversation.line !== refused) await send([part]);
  }

  function toInput({ conversation, messages }: Part) {
    return {
      ...conversation.value,
      ...(unit !== undefined && { tenantUnitId: unit }),
      messages: messages.map(({ value }) => value),
    };
  }
}

/** @returns undefined where the server does not object to conversations */
function findFaults(error: unknown, parts: Part[]): Fault[] | undefined {
  const { status, detail } = readFailure(error);
  const [first] = parts;
  if (!first) return undefined;
  const isTooLarge = (status === 413 || status === 422) && detail.every(({ loc }) => loc.length === 0);
  if (isTooLarge) return [{ line: first.conversation.line, reason: detail[0]?.msg ?? 'is too large' }];
  if (![403, 409, 422].includes(status ?? 0) || detail.some(({ loc }) => loc[0] !== 'conversations'))
    return undefined;
  return detail.map(({ loc: [, place, ...rest], msg }) => {
    const part = parts[Number(place)] ?? first;
    const isMessage = rest[0] === 'messages' && typeof rest[1] === 'number';
    const line = (isMessage ? part.messages[Number(rest[1])] : undefined) ?? part.conversation;
    const field = (isMessage ? rest.slice(2) : rest).join('.');
    return { line: line.line, reason: field ? `${field}: ${msg}` : msg };
  });
}
