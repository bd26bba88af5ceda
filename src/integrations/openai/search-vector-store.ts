import { z } from 'zod';
import { boundedArray, chunkSearch } from '../../routers/index.js';
import type { Caller } from '../caller.js';
import { type DatasetName, searchDataset } from '../datasets.js';
import { toAttributes } from './attributes.js';

const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 10;
const MAX_QUERIES = 100;

const rankers = ['auto'] as const;

/** What is not supported is refused, never ignored: so unknown fields are, too. */
export const searchBody = z.strictObject({
  query: z.union(
    [z.string(), boundedArray(z.string(), MAX_QUERIES, 1)],
    'must be a string or a list of strings',
  ),
  filters: chunkSearch.shape.filter.nullish(),
  max_num_results: z.int().min(1).max(MAX_RESULTS).optional(),
  ranking_options: z
    .strictObject({
      ranker: z
        .enum(rankers, 'supports only "auto": the server is configured with a ranker or without')
        .optional(),
      score_threshold: z.number().min(0).max(1).default(0),
    })
    .prefault({}),
  rewrite_query: z.literal(false, 'is not supported: queries are searched as they are').optional(),
});

/** Searches a dataset as a vector store. A list of queries is one question. */
export async function searchVectorStore(
  caller: Caller,
  name: DatasetName,
  { query, filters, max_num_results, ranking_options }: z.output<typeof searchBody>,
  maxPageSize: number,
) {
  const queries = [query].flat();
  const hits = await searchDataset(caller, name, {
    query: queries.join('\n'),
    topK: max_num_results ?? Math.min(DEFAULT_RESULTS, maxPageSize),
    filter: filters ?? undefined,
  });
  return {
    object: 'vector_store.search_results.page',
    search_query: queries,
    data: hits
      .filter(({ score }) => score >= ranking_options.score_threshold)
      .map((hit) => ({
        file_id: hit.documentId,
        filename: hit.documentName,
        score: hit.score,
        attributes: toAttributes(hit),
        content: [{ type: 'text', text: hit.content }],
      })),
    has_more: false,
    next_page: null,
  };
}
