import { z } from 'zod';
import { searchEngines, searchLanguages, searchModes } from '../../search/chunk-index.js';
import { chunk } from '../chunks/chunks.schema.js';
import { documentType } from '../documents/documents.schema.js';
import { boundedArray, filterValue, jsonRecord, nonEmptyText } from '../shared/fields.schema.js';
import { MAX_BATCH } from '../shared/pagination.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';
import { citation } from './citation.schema.js';
import { contextRequest, hitContext } from './context.schema.js';
import { filter } from './filter.schema.js';

export const MAX_QUERY_LENGTH = 10_000;

export const searchEngine = z.enum(searchEngines);
export const searchMode = z.enum(searchModes);

export const chunkSearch = z.object({
  scope: requiredTenantScope.required({ tenantUnitId: true }),
  /** Any of these. */
  datasetIds: boundedArray(filterValue()),
  query: nonEmptyText(MAX_QUERY_LENGTH),
  topK: z.int().min(1).max(MAX_BATCH).default(5),
  language: z.enum(searchLanguages).default('english'),
  /** As configured if undefined. */
  mode: searchMode.optional(),
  /** Whether mistyped words are also searched as they may be meant; they are by default. */
  typos: z.boolean().optional(),
  /** Whether phrases are also searched as their synonyms; they are by default. */
  synonyms: z.boolean().optional(),
  /** Also answers the neighbours of each hit. */
  context: contextRequest.optional(),
  /** Which chunks are found; all if undefined. */
  filter: filter.optional(),
  /** Also answers the custom properties of the documents of hits. */
  properties: z.boolean().optional(),
});
export type ChunkSearch = z.output<typeof chunkSearch>;

export const searchHit = chunk.omit({ status: true, metadata: true, version: true }).extend({
  keywords: z.array(z.string()),
  /** 0 to 1, descending. */
  score: z.number(),
  documentName: z.string(),
  documentType,
  documentSubType: z.string(),
  datasetIds: z.array(z.string()),
  citation,
  /** Of the document, where they were asked for; null where there are none, or more than 16 KiB of them. */
  customProperties: jsonRecord().nullable().optional(),
  /** Where neighbours were asked for. */
  context: hitContext.optional(),
});
export type SearchHit = z.output<typeof searchHit>;

const scorePart = z.number().nullable();
/** What a score is made of, null where that does not count: BM25's share, the centered cosine, what a reranker gave. */
export const scoreParts = z.object({
  words: scorePart,
  meaning: scorePart,
  rerank: scorePart,
  /** The calculation: the logarithm of the odds of the score, `ln(score / (1 - score))`, is the sum of these. */
  logOdds: z.object({ base: z.number(), words: z.number(), meaning: z.number() }).nullable(),
});
export type ScoreParts = z.output<typeof scoreParts>;

export const searchedTerms = z.array(z.object({ term: z.string(), chunks: z.int() }));

/** Where a text has searched words, in UTF-16 units. */
export const marks = z.array(z.tuple([z.int(), z.int()]));

/** Words of a question that were also searched as they may be meant, the most likely first. */
export const corrections = z.array(z.object({ word: z.string(), instead: z.array(z.string()) }));

/** A search with what explains its hits. */
export const explainedSearch = z.object({
  engine: searchEngine,
  /** In which it was done. */
  mode: searchMode,
  /** Whether the least relevant matches were left out. */
  truncated: z.boolean(),
  /** Null where no reranker is configured. */
  reranked: z.boolean().nullable(),
  durationMs: z.number(),
  corrections,
  /** The question with these words as they are most likely meant; null where none seems mistyped. */
  didYouMean: z.string().nullable(),
  /** Phrases of the question that were also searched as their synonyms. */
  synonyms: corrections,
  /** What is searched of the question, rarest first, with how many chunks have it. */
  terms: searchedTerms,
  /** Chunks of the datasets. */
  chunks: z.int(),
  hits: z.array(searchHit.extend({ ...scoreParts.shape, marks, complementMarks: marks })),
});
export type ExplainedSearch = z.output<typeof explainedSearch>;
