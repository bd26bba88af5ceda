import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../../../api/trpc';

type MessageRecord = Outputs['messages']['list']['items'][number];

/** What a judged question can be made from. */
export interface AnswerRef {
  scope: { tenantId: string; tenantUnitId: string };
  conversationId: string;
  /** The latest answer that somebody found bad, or else the latest one, if undefined. */
  messageId: string | undefined;
}

/** Of the transcript, to find the question in. */
const READ = 50;
const USER = 'user';

/** An answer of a conversation, and what the user had asked before it. */
export function useAnswer({ scope, conversationId, messageId: around }: AnswerRef) {
  const input = { scope, conversationId, order: 'recent', pageSize: READ, around } as const;
  const messages = useQuery(trpc.messages.list.queryOptions(input));
  const items = messages.data?.items ?? [];
  const place = placeOf(items, around);
  const question = items.slice(place + 1).find(isOfUser);
  return { ...messages, answer: items[place], question: place < 0 ? undefined : question?.content };
}

const isOfUser = ({ messageFrom, content }: MessageRecord) => messageFrom === USER && content !== '';

function placeOf(items: readonly MessageRecord[], messageId: string | undefined): number {
  if (messageId !== undefined) return items.findIndex(({ id }) => id === messageId);
  const bad = items.findIndex(({ messageFrom, feedback }) => messageFrom !== USER && feedback === 'down');
  return bad >= 0 ? bad : items.findIndex(({ messageFrom }) => messageFrom !== USER);
}
