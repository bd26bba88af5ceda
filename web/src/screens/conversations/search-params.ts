import type { Outputs } from '../../api/trpc';

export type Conversation = Outputs['conversations']['get'];
export type ListedConversation = Outputs['conversations']['list']['items'][number];
export type Status = NonNullable<Conversation['status']>;

const everyStatus: Record<Status, true> = {
  submitted: true,
  running: true,
  'input-required': true,
  'review-requested': true,
  reviewed: true,
  succeeded: true,
  'partial-succeeded': true,
  failed: true,
  stopped: true,
  canceled: true,
  unknown: true,
};
/** In the order of a conversation's life. */
export const statuses = Object.keys(everyStatus) as Status[];

/** The chosen conversation, filters and page, as they are in the address. */
export interface ConversationsSearch {
  conversation?: string | undefined;
  state?: Status | undefined;
  agent?: string | undefined;
  assignment?: string | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readConversationsSearch(search: Record<string, unknown>): ConversationsSearch {
  const page = Number(search.page);
  return {
    conversation: textOf(search.conversation),
    state: statuses.find((status) => status === search.state),
    agent: textOf(search.agent),
    assignment: textOf(search.assignment),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
