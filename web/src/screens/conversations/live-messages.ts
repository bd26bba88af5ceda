import type { Outputs } from '../../api/trpc';

export type MessageRecord = Outputs['messages']['list']['items'][number];
export type FollowEvent =
  Outputs['messages']['follow'] extends AsyncIterable<infer Item extends { data: unknown }>
    ? Item['data']
    : never;

/** A message as events have brought it, and when they last did. */
interface LiveMessage {
  message: MessageRecord;
  at: number;
}

/** What events have brought of a conversation. */
export interface LiveMessages {
  /** In the order in which they came first. */
  byId: ReadonlyMap<string, LiveMessage>;
  /** Of the latest events, those that are not being written. */
  finished: readonly MessageRecord[];
}

export const noLiveMessages: LiveMessages = { byId: new Map(), finished: [] };

/** The messages after more events. What has not changed stays the same object, and is not rendered again. */
export function withEvents(live: LiveMessages, events: readonly FollowEvent[], at: number): LiveMessages {
  const byId = new Map(live.byId);
  const finished = new Map<string, MessageRecord>();
  for (const { messages, texts } of events) {
    for (const message of messages) {
      byId.set(message.id, { message, at });
      if (!isBeingWritten(message)) finished.set(message.id, message);
    }
    for (const { messageId, text } of texts) {
      const message = byId.get(messageId)?.message;
      if (message) byId.set(messageId, { message: { ...message, content: message.content + text }, at });
    }
  }
  return { byId, finished: finished.size > 0 ? [...finished.values()] : live.finished };
}

/** Whether a model still writes it. */
export const isBeingWritten = ({ status }: Pick<MessageRecord, 'status'>) => status === 'streaming';
