import { z } from 'zod';
import {
  chunk,
  chunkChanges,
  chunkFilter,
  chunkSearch,
  chunkSelection,
  chunkSelectionSwitch,
  chunkSwitch,
  searchHit,
} from '../services/chunks.schema.js';
import { pageOf } from '../services/paging.js';
import { operation } from './operation.js';

export const chunks = {
  list: operation('chunks:read', chunkFilter)
    .output(pageOf(chunk))
    .query(({ ctx, input }) => ctx.services.chunks.list(input)),

  search: operation('search', chunkSearch)
    .output(z.array(searchHit))
    .query(async ({ ctx, input }) => {
      const { engine, hits } = await ctx.services.search.search(input);
      ctx.addHeader?.('X-Search-Engine', engine);
      return hits;
    }),

  update: operation('chunks:write', chunkChanges)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.chunks.update(input, ctx.actor)),

  setStatus: operation('chunks:write', chunkSwitch)
    .output(z.object({ version: z.int() }))
    .mutation(({ ctx, input }) => ctx.services.chunks.setStatus(input, ctx.actor)),

  setStatusMany: operation('chunks:write', chunkSelectionSwitch)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.setStatusMany(input, ctx.actor)),

  deleteMany: operation('chunks:write', chunkSelection)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.removeMany(input, ctx.actor)),
};
