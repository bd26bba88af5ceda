import { z } from 'zod';
import { chunkSearch, explainedSearch } from '../services/search/search.schema.js';
import {
  indexRepair,
  indexTask,
  searchExplanation,
  searchStatus,
  searchToExplain,
  searchToken,
  settingDifference,
  taskFilter,
  tokenRequest,
  verification,
} from '../services/search/search-admin.schema.js';
import { permittedProcedure, tenantProcedure } from './procedure.js';

/** Searches that are explained, and search administration for operators. Only `run` and `explain` return chunk data. */
export const search = {
  run: tenantProcedure('search', chunkSearch)
    .output(explainedSearch)
    .query(({ ctx, input }) => ctx.services.explainedSearches.run(input)),

  /**
   * A token of at most five minutes with which a front end asks Meilisearch itself, such as at each key. It reads what this
   * key reaches. Text that was deleted may be found for up to six minutes.
   */
  token: tenantProcedure('search', tokenRequest)
    .output(searchToken)
    .mutation(({ ctx, input }) =>
      ctx.services.searchAdmin.createToken(input, ctx.access?.expiresTime ?? null),
    ),

  status: permittedProcedure('operations')
    .output(searchStatus)
    .query(({ ctx }) => ctx.services.searchAdmin.status()),

  settings: permittedProcedure('operations')
    .output(z.array(settingDifference))
    .query(({ ctx }) => ctx.services.searchAdmin.settings()),

  tasks: tenantProcedure('operations', taskFilter)
    .output(z.array(indexTask))
    .query(({ ctx, input }) => ctx.services.searchAdmin.tasks(input)),

  /** Compares all chunks; slow. */
  verify: permittedProcedure('operations')
    .output(verification.nullable())
    .query(({ ctx, signal }) => ctx.services.searchAdmin.verify({ signal })),

  /** The same, and has what differs indexed again. */
  repair: tenantProcedure('operations', indexRepair)
    .output(verification.nullable())
    .mutation(({ ctx, input, signal }) => ctx.services.searchAdmin.repair(input, ctx.actor, signal)),

  explain: tenantProcedure('search', searchToExplain)
    .output(searchExplanation)
    .query(({ ctx, input }) => ctx.services.searchAdmin.explain(input)),
};
