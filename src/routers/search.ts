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
import { pageSchema } from '../services/shared/pagination.js';
import {
  exportedSynonyms,
  importedSynonyms,
  synonymFilter,
  synonyms,
  synonymsImport,
  synonymsRef,
  synonymsToSave,
  unitOfSynonyms,
} from '../services/synonyms/synonyms.schema.js';
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

  synonyms: tenantProcedure('search', synonymFilter)
    .output(pageSchema(synonyms))
    .query(({ ctx, input }) => ctx.services.synonyms.list(input)),

  saveSynonyms: tenantProcedure('documents:write', synonymsToSave)
    .output(synonyms)
    .mutation(({ ctx, input }) => ctx.services.synonyms.save(input, ctx.actor)),

  removeSynonyms: tenantProcedure('documents:write', synonymsRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.synonyms.remove(input, ctx.actor)),

  exportSynonyms: tenantProcedure('search', unitOfSynonyms)
    .output(exportedSynonyms)
    .query(({ ctx, input }) => ctx.services.synonyms.export(input)),

  /** All lines of a text, or none of them. */
  importSynonyms: tenantProcedure('documents:write', synonymsImport)
    .output(importedSynonyms)
    .mutation(({ ctx, input }) => ctx.services.synonyms.import(input, ctx.actor)),
};
