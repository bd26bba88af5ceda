import type { Outputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';

export type Conversation = Outputs['conversations']['get'];
export type ListedConversation = Outputs['conversations']['list']['items'][number];
export type Status = NonNullable<Conversation['status']>;

/** How calls name a conversation. */
export const refOf = ({
  id,
  tenantId,
  tenantUnitId,
}: Pick<Conversation, 'id' | 'tenantId' | 'tenantUnitId'>) => ({
  scope: { tenantId, tenantUnitId },
  conversationId: id,
});

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

/** What people think of a message. */
export const feedbacks = ['up', 'down'] as const;
type Feedback = (typeof feedbacks)[number];

/** What a conversation may have at most. */
export const MAX_LABELS = 20;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the list is narrowed by, as it is in the address. */
export interface Filters {
  state?: Status | undefined;
  /** Ids, separated by commas: any of these. */
  labels?: string | undefined;
  agent?: string | undefined;
  assignment?: string | undefined;
  user?: string | undefined;
  /** Of any of its messages; of the messages themselves in a search. */
  feedback?: Feedback | undefined;
  /** The first day and the last one, in the time of the browser. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The chosen conversation, filters and page, as they are in the address. */
export interface ConversationsSearch extends Filters {
  conversation?: string | undefined;
  /** A message of it, at which the transcript opens. */
  message?: string | undefined;
  /** What is searched; the list is shown where it is absent. */
  q?: string | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readConversationsSearch(search: Record<string, unknown>): ConversationsSearch {
  return {
    conversation: textOf(search.conversation),
    message: textOf(search.message),
    q: textOf(search.q),
    ...readFilters(search),
    page: pageOf(search.page),
  };
}

/** The filters alone. Without an argument none, which clears those of the address. */
export const readFilters = (search: Record<string, unknown> = {}): Filters => ({
  state: statuses.find((status) => status === search.state),
  labels: readLabelIds(search.labels).join(',') || undefined,
  agent: textOf(search.agent),
  assignment: textOf(search.assignment),
  user: textOf(search.user),
  feedback: feedbacks.find((one) => one === search.feedback),
  from: dayOf(search.from),
  to: dayOf(search.to),
});

export const isFiltered = (search: ConversationsSearch): boolean =>
  Object.values(readFilters({ ...search })).some((value) => value !== undefined);

/** Ids of labels in the address. */
export const readLabelIds = (labels: unknown): string[] =>
  [...new Set((textOf(labels) ?? '').split(',').filter(Boolean))].slice(0, MAX_LABELS);

/** The filters as the server takes them. */
export const toConditions = ({ state, labels, agent, assignment, user, feedback, from, to }: Filters) => ({
  statuses: state && [state],
  labels: labels === undefined ? undefined : readLabelIds(labels),
  agentId: agent,
  assignmentId: assignment,
  userId: user,
  feedback,
  createdFrom: from && startOfDay(from, 0),
  createdBefore: to && startOfDay(to, 1),
});
export type Conditions = ReturnType<typeof toConditions>;

/** When a day begins here, or one so many days later. */
function startOfDay(day: string, later: number): string {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

const dayOf = (value: unknown) =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(`${value}T00:00`))
    ? value
    : undefined;
