import {
  datasetSuggestion,
  reachedDatasets,
  reachedTenants,
  reachedUnitDatasets,
  reachedUnits,
  tenantSuggestion,
  unitDatasetPage,
  unitSuggestion,
} from '../services/reach/reach.schema.js';
import { anyKeyProcedure, anyKeyTenantProcedure, tenantProcedure } from './procedure.js';

/** What a key reaches, to choose from. */
export const reach = {
  tenants: anyKeyProcedure
    .input(tenantSuggestion)
    .output(reachedTenants)
    .query(({ ctx, input }) => ctx.services.reach.tenants(input, ctx.access)),

  units: anyKeyTenantProcedure(unitSuggestion)
    .output(reachedUnits)
    .query(({ ctx, input }) => ctx.services.reach.units(input, ctx.access)),

  datasets: tenantProcedure(['documents:read', 'documents:write', 'search'], datasetSuggestion)
    .output(reachedDatasets)
    .query(({ ctx, input }) => ctx.services.reach.datasets(input)),

  unitDatasets: tenantProcedure(['documents:read', 'documents:write', 'search'], unitDatasetPage)
    .output(reachedUnitDatasets)
    .query(({ ctx, input }) => ctx.services.reach.unitDatasets(input)),
};
