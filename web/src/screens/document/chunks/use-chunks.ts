import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../../../api/trpc';
import type { DocumentSearch } from '../search-params';
import { type OneDocument, refOf } from '../use-document';

export type Chunk = Outputs['chunks']['list']['items'][number];

const PAGE_SIZE = 10;

/** A page of the chunks of a document, in its order. */
export function useChunks(document: OneDocument, { page, chunk, ...filters }: DocumentSearch) {
  return useQuery(
    trpc.chunks.list.queryOptions(
      {
        ...refOf(document),
        page: page ?? 1,
        pageSize: PAGE_SIZE,
        ...toConditions(filters),
        around: page === undefined ? chunk : undefined,
      },
      { placeholderData: keepPreviousData },
    ),
  );
}

/** The filters as the server takes them. */
export const toConditions = ({ chunkStatus, text, edited }: DocumentSearch) => ({
  statuses: chunkStatus && [chunkStatus],
  contains: text,
  edited: edited && (true as const),
});

/** Keywords, those that count most first. */
export const keywordsOf = ({ keywords }: Chunk): string[] =>
  Object.entries(keywords)
    .sort(([, a], [, b]) => b - a)
    .map(([word]) => word);
