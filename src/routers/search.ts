import { z } from 'zod';
import { chunkSearch, explainedSearch } from '../services/search/search.schema.js';
import {
  indexTask,
  searchExplanation,
  searchStatus,
  searchToExplain,
  settingDifference,
  taskFilter,
  verification,
} from '../services/search/search-admin.schema.js';
import { permittedProcedure, tenantProcedure } from './procedure.js';

/** Searches that are explained, and search administration for operators. Only `run` and `explain` return chunk data. */
export const search = {
  run: tenantProcedure('search', chunkSearch)
    .output(explainedSearch)
    .query(({ ctx, input }) => ctx.services.explainedSearches.run(input)),

  status: permittedProcedure('operations')
    .output(searchStatus)
    .query(({ ctx }) => ctx.services.searchAdmin.status()),

  settings: permittedProcedure('operations')
    .output(z.array(settingDifference))
    .query(({ ctx }) => ctx.services.searchAdmin.settings()),

  tasks: tenantProcedure('operations', taskFilter)
    .output(z.array(indexTask))
    .query(({ ctx, input }) => ctx.services.searchAdmin.tasks(input)),

  /** Compares all chunks; slow. Repairs are done by the CLI. */
  verify: permittedProcedure('operations')
    .output(verification.nullable())
    .query(({ ctx, signal }) => ctx.services.searchAdmin.verify({ signal })),

  explain: tenantProcedure(['operations', 'search'], searchToExplain)
    .output(searchExplanation)
    .query(({ ctx, input }) => ctx.services.searchAdmin.explain(input)),
};
