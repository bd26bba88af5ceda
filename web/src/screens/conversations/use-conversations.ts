import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Scope, useScope } from '../../api/scope';
import { client, trpc } from '../../api/trpc';
import { languageOf } from '../../common/query-language';
import { type Conversation, type ConversationsSearch, type Filters, toConditions } from './search-params';

const PAGE_SIZE = 20;
const HITS = 50;
/** Messages that are read, and put on the screen, together. */
const MESSAGES = 30;
/** While an agent is at work. */
const REFETCH_MS = 5_000;
/** While messages come. */
const REFRESH_MS = 5_000;

/** A page of conversations, the latest first. */
export function useConversations(search: ConversationsSearch) {
  return useQuery(pageOptions(useScope(), search));
}

/** How a page of the list is read. */
export const pageOptions = (scope: Scope, { page = 1, ...filters }: ConversationsSearch) =>
  trpc.conversations.list.queryOptions(
    { scope, page, pageSize: PAGE_SIZE, ...toConditions(filters) },
    { placeholderData: keepPreviousData },
  );

/** The messages and topics that have the words, within the filters. */
export function useFoundMessages(query: string, filters: Filters) {
  const scope = useScope();
  const input = {
    scope,
    query,
    language: languageOf(query),
    limit: HITS,
    ...toConditions(filters),
  };
  return useQuery(trpc.messages.search.queryOptions(input, { placeholderData: keepPreviousData }));
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

interface TranscriptOptions {
  isFromEnd: boolean;
  /** From the beginning, the message whose page is read first. */
  around: string | undefined;
  /** Whether messages come by themselves. */
  isLive: boolean;
  enabled: boolean;
}

/** The messages of a conversation from its end or its beginning, or around one of them, page by page. */
export function useTranscript(
  conversation: Conversation,
  { isFromEnd, around, isLive, enabled }: TranscriptOptions,
) {
  const scope = useScope();
  const { id: conversationId } = conversation;
  const order = isFromEnd ? 'recent' : 'oldest';
  return useInfiniteQuery({
    queryKey: [...trpc.messages.list.queryKey(), 'transcript', scope, conversationId, order, around],
    queryFn: async ({ pageParam: page, signal }) => {
      const readAt = performance.now();
      const place = page === undefined ? { around } : { page };
      const input = { scope, conversationId, order, ...place, pageSize: MESSAGES } as const;
      return { ...(await client.messages.list.query(input, { signal })), readAt };
    },
    initialPageParam: around === undefined ? 1 : undefined,
    getPreviousPageParam: ({ page }) => (page > 1 ? page - 1 : undefined),
    getNextPageParam: ({ page, hasNextPage }) => (hasNextPage ? page + 1 : undefined),
    enabled,
    refetchOnWindowFocus: false,
    // All pages would be read again.
    refetchInterval: ({ state }) =>
      !isLive && isUnderWay(conversation) && state.data?.pages.length === 1 ? REFETCH_MS : false,
  });
}

/** How many messages a conversation has, where not all of them are read. */
export function useMessageCount(conversationId: string, enabled: boolean): number | undefined {
  const input = { scope: useScope(), conversationId, pageSize: 1 };
  return useQuery(trpc.messages.list.queryOptions(input, { enabled })).data?.totalCount;
}

/** Reads what new messages change in a conversation and in lists: at once, and then not more than once in some seconds. */
export function useRefreshFollowed(conversationId: string): () => void {
  const scope = useScope();
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isWanted = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  return function refresh() {
    if (timer.current !== undefined) {
      isWanted.current = true;
      return;
    }
    const { get, list, statusHistory } = trpc.conversations;
    const ref = { scope, conversationId };
    for (const queryKey of [
      get.queryKey(ref),
      statusHistory.queryKey(ref),
      list.queryKey(),
      trpc.messages.list.queryKey({ ...ref, pageSize: 1 }),
    ]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    isWanted.current = false;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (isWanted.current) refresh();
    }, REFRESH_MS);
  };
}

/** Reads all that is known of conversations again. */
export function useRefreshConversations(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
}

/** Whether an agent is at work. */
export const isUnderWay = (conversation: Conversation | undefined) =>
  conversation?.status === 'running' || conversation?.status === 'submitted';
