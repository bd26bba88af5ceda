import { datasetFilter, datasetPage } from '../services/datasets/datasets.schema.js';
import { tenantProcedure } from './procedure.js';

export const datasets = {
  list: tenantProcedure('documents:read', datasetFilter)
    .output(datasetPage)
    .query(({ ctx, input }) => ctx.services.datasets.list(input)),
};
