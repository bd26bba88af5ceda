import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../api/scope';
import { client, type Outputs, trpc } from '../../api/trpc';
import type { Conversation, ConversationsSearch } from './search-params';

const PAGE_SIZE = 20;
/** Messages that are read, and put on the screen, together. */
const MESSAGES = 30;
/** While an agent is at work. */
const REFETCH_MS = 5_000;

/** A page of conversations, the latest first. */
export function useConversations({ state, agent, assignment, page = 1 }: ConversationsSearch) {
  const scope = useScope();
  return useQuery(
    trpc.conversations.list.queryOptions(
      {
        scope,
        page,
        pageSize: PAGE_SIZE,
        statuses: state && [state],
        agentId: agent,
        assignmentId: assignment,
      },
      { placeholderData: keepPreviousData },
    ),
  );
}

/** Agents and assignments to filter by. */
export function useFacets() {
  const scope = useScope();
  return useQuery(trpc.conversations.facets.queryOptions({ scope }, { staleTime: 60_000 }));
}

/** One conversation, kept up to date while an agent is at work. */
export function useConversation(conversationId: string) {
  const scope = useScope();
  return useQuery(
    trpc.conversations.get.queryOptions(
      { scope, conversationId },
      { refetchInterval: ({ state }) => (isUnderWay(state.data) ? REFETCH_MS : false) },
    ),
  );
}

type MessagesPage = Outputs['messages']['list'];

/** The messages of a conversation from its end or its beginning, page by page. */
export function useTranscript(conversation: Conversation, isFromEnd: boolean) {
  const scope = useScope();
  const { id: conversationId } = conversation;
  const order = isFromEnd ? 'recent' : 'oldest';
  return useInfiniteQuery({
    queryKey: [...trpc.messages.list.queryKey(), 'transcript', scope, conversationId, order],
    queryFn: ({ pageParam: page, signal }) =>
      client.messages.list.query({ scope, conversationId, order, page, pageSize: MESSAGES }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasNextPage }: MessagesPage) => (hasNextPage ? page + 1 : undefined),
    refetchOnWindowFocus: false,
    // All pages would be read again.
    refetchInterval: ({ state }) =>
      isUnderWay(conversation) && state.data?.pages.length === 1 ? REFETCH_MS : false,
  });
}

/** Reads all that is known of conversations again. */
export function useRefreshConversations(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
}

const isUnderWay = (conversation: Conversation | undefined) =>
  conversation?.status === 'running' || conversation?.status === 'submitted';
