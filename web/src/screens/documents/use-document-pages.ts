import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useScope } from '../../api/scope';
import { session } from '../../api/session';
import { type Document, type Inputs, type Outputs, trpc } from '../../api/trpc';
import { type DocumentsSearch, WITH_WARNINGS } from './search-params';

type Page = Outputs['documents']['list'];

/** Rows that are asked for at once, where the server gives so many. */
const PAGE_SIZE = 100;
/** While something is processed, also where the stream of progress is not available. */
const REFETCH_MS = 5_000;
/** What was scrolled past and comes back is not asked for again meanwhile. */
const STALE_MS = 10_000;

/** Rows of the list, from 0. */
export interface Range {
  first: number;
  last: number;
}

/** The list as far as it is loaded: the pages with the rows of a range, and what was loaded before. */
export function useDocumentPages(search: DocumentsSearch, { first, last }: Range) {
  const queryClient = useQueryClient();
  const { data: info, error: infoError, refetch: refetchInfo } = useQuery(session);
  const pageSize = Math.min(PAGE_SIZE, info?.server.maxPageSize ?? PAGE_SIZE);
  const filter = useDocumentFilter(search);
  const optionsOf = (page: number) =>
    trpc.documents.list.queryOptions({ ...filter, page, pageSize }, { trpc: { abortOnUnmount: true } });

  const firstPage = Math.floor(first / pageSize) + 1;
  const numbers = Array.from(
    { length: Math.floor(last / pageSize) + 2 - firstPage },
    (_, place) => firstPage + place,
  );
  const results = useQueries({
    queries: numbers.map((page) => ({
      ...optionsOf(page),
      enabled: info !== undefined,
      staleTime: STALE_MS,
      refetchInterval: ({ state }: { state: { data?: Page | undefined } }) =>
        state.data?.items.some(isPending) ? REFETCH_MS : (false as const),
    })),
  });
  const lastTotal = useRef<number>(undefined);
  const newest = results.reduce((best, one) => (one.dataUpdatedAt > best.dataUpdatedAt ? one : best));
  lastTotal.current = newest.data?.totalCount ?? lastTotal.current;
  const failed = results.find(({ error }) => error);
  return {
    pageSize,
    totalCount: lastTotal.current,
    error: infoError ?? failed?.error ?? null,
    /** Undefined while it is not loaded. */
    documentAt: (row: number): Document | undefined => {
      const page = queryClient.getQueryData(optionsOf(Math.floor(row / pageSize) + 1).queryKey);
      return page?.items[row % pageSize];
    },
    pending: results.flatMap(({ data }) => data?.items.filter(isPending).map(({ id }) => id) ?? []),
    /** Loads what a page has, unless that is known. */
    readPage: (page: number): Promise<Page> =>
      queryClient.fetchQuery({ ...optionsOf(page), staleTime: STALE_MS }),
    retry: () => {
      if (infoError) void refetchInfo();
      for (const { error, refetch } of results) if (error) void refetch();
    },
  };
}

/** What the address says, as the server takes it. */
function useDocumentFilter({
  name,
  status,
  reason,
  type,
  dataset,
  order,
}: DocumentsSearch): Inputs['documents']['list'] {
  const scope = useScope();
  return {
    scope,
    nameContains: name,
    ...(status === WITH_WARNINGS ? { hasWarnings: true } : { statuses: status && [status] }),
    failureCode: reason,
    documentTypes: type && [type],
    datasetIds: dataset === undefined ? undefined : [dataset],
    order,
  };
}

/** Reads all lists of documents again. */
export function useRefreshDocuments(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: trpc.documents.list.queryKey() });
}

export const isPending = ({ status, source }: Document) =>
  status === 'processing' || (status === 'created' && source !== 'none');
