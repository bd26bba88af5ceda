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
import { procedure, router } from './trpc.js';

export const chunks = router({
  list: procedure
    .input(chunkFilter)
    .output(pageOf(chunk))
    .query(({ ctx, input }) => ctx.services.chunks.list(input)),

  search: procedure
    .input(chunkSearch)
    .output(z.array(searchHit))
    .query(async ({ ctx, input }) => {
      const { engine, hits } = await ctx.services.search.search(input);
      ctx.addHeader?.('X-Search-Engine', engine);
      return hits;
    }),

  update: procedure
    .input(chunkChanges)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.update(input)),

  setStatus: procedure
    .input(chunkSwitch)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.setStatus(input)),

  setStatusMany: procedure
    .input(chunkSelectionSwitch)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.setStatusMany(input)),

  deleteMany: procedure
    .input(chunkSelection)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.chunks.removeMany(input)),
});
