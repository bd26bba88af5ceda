import { z } from 'zod';
import { nonEmptyText, nullableText } from '../shared/fields.schema.js';
import { chunkSearch, marks } from './search.schema.js';

export const MAX_SUGGESTION_LENGTH = 1_000;
export const MAX_SUGGESTIONS = 20;

/** A question that is still being typed: its last word may be unfinished, unless a space follows. */
export const chunkSuggestion = chunkSearch.pick({ scope: true, datasetIds: true, language: true }).extend({
  text: nonEmptyText(MAX_SUGGESTION_LENGTH).refine((text) => text.trim() !== '', 'must not be empty'),
  /** Of each kind. */
  limit: z.int().min(1).max(MAX_SUGGESTIONS).default(5),
  /** Completions are words of all chunks of the datasets. */
  filter: z.never('is not for suggestions').optional(),
});
export type ChunkSuggestion = z.output<typeof chunkSuggestion>;

export const suggestions = z.object({
  /** What the last word may become, the most frequent first, and the question with it. */
  completions: z.array(z.object({ word: z.string(), text: z.string() })),
  /** Whose name or title has the end of the question, from the beginning of a word on. */
  documents: z.array(z.object({ id: z.string(), name: nullableText, title: nullableText })),
  /** What the question finds so far, best first. */
  hits: z.array(
    z.object({
      id: z.string(),
      documentId: z.string(),
      documentName: z.string(),
      /** 0 to 1, descending. */
      score: z.number(),
      /** The part of the text with the first searched words. */
      excerpt: z.string(),
      /** Where the excerpt has searched words. */
      marks,
    }),
  ),
});
export type Suggestions = z.output<typeof suggestions>;
