import { z } from 'zod';
import {
  indexTask,
  searchExplanation,
  searchStatus,
  searchToExplain,
  settingDifference,
  taskFilter,
  verification,
} from '../services/search-console.schema.js';
import { operation, permitted } from './operation.js';

/**
 * For those who run the service. Of chunks, only `explain` shows more than their ids and what the search server says of
 * them, and only within the scope it is given.
 */
export const search = {
  status: permitted('operations')
    .output(searchStatus)
    .query(({ ctx }) => ctx.services.searchConsole.status()),

  settings: permitted('operations')
    .output(z.array(settingDifference))
    .query(({ ctx }) => ctx.services.searchConsole.settings()),

  tasks: operation('operations', taskFilter)
    .output(z.array(indexTask))
    .query(({ ctx, input }) => ctx.services.searchConsole.tasks(input)),

  /** Compares everything, which takes its time. Repairing is the command line's. */
  verify: permitted('operations')
    .output(verification.nullable())
    .query(({ ctx, signal }) => ctx.services.searchConsole.verify({ signal })),

  explain: operation('operations', searchToExplain)
    .output(searchExplanation)
    .query(({ ctx, input }) => ctx.services.searchConsole.explain(input)),
};
