import { z } from 'zod';
import {
  chunkChanges,
  chunkFilter,
  chunkRestoration,
  chunkSelection,
  chunkSelectionStatusChange,
  chunkStatusChange,
  listedChunk,
} from '../services/chunks/chunks.schema.js';
import { chunkSearch, searchHit } from '../services/search/search.schema.js';
import { chunkSuggestion, suggestions } from '../services/search/suggest.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { tenantProcedure } from './procedure.js';

export const chunks = {
  list: tenantProcedure('chunks:read', chunkFilter)
    .output(pageSchema(listedChunk))
    .query(({ ctx, input }) => ctx.services.chunks.list(input)),

  search: tenantProcedure('search', chunkSearch)
    .output(z.array(searchHit))
    .query(async ({ ctx, input }) => {
      const { engine, mode, isTruncated, isReranked, hits } = await ctx.services.search.search(input);
      ctx.addResponseHeader?.('X-Search-Engine', engine);
      ctx.addResponseHeader?.('X-Search-Mode', mode);
      if (isReranked !== undefined) ctx.addResponseHeader?.('X-Search-Reranked', String(isReranked));
      if (isTruncated) ctx.addResponseHeader?.('X-Search-Truncated', 'true');
      return hits;
    }),

  /** For a field in which a question is typed. Always answered by PostgreSQL; front ends ask Meilisearch by `search.token`. */
  suggest: tenantProcedure('search', chunkSuggestion)
    .output(suggestions)
    .query(({ ctx, input }) => ctx.services.suggest.suggest(input)),

  update: tenantProcedure('chunks:write', chunkChanges)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.chunks.update(input, ctx.actor)),

  /** Back to the text and keywords as they were split off. */
  restore: tenantProcedure('chunks:write', chunkRestoration)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.chunks.restore(input, ctx.actor)),

  setStatus: tenantProcedure('chunks:write', chunkStatusChange)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.chunks.setStatus(input, ctx.actor)),

  setStatusMany: tenantProcedure('chunks:write', chunkSelectionStatusChange)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.setStatusMany(input, ctx.actor)),

  deleteMany: tenantProcedure('chunks:write', chunkSelection)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.removeMany(input, ctx.actor)),
};
