import { z } from 'zod';
import { filterValue, identifier } from '../shared/fields.schema.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

const MAX_IDS = 200;
const MAX_COUNTED = 1_000;

/** What ids to suggest: those that begin with a text, in their order. */
const suggestion = {
  prefix: filterValue().default(''),
  /** Only ids behind this one, such as the last of an answer that was truncated. */
  after: filterValue().optional(),
  limit: z.int().min(1).max(MAX_IDS).default(100),
};

export const tenantSuggestion = z.object(suggestion);
export type TenantSuggestion = z.output<typeof tenantSuggestion>;

export const unitSuggestion = z.object({ scope: z.object({ tenantId: identifier() }), ...suggestion });
export type UnitSuggestion = z.output<typeof unitSuggestion>;

export const datasetSuggestion = z.object({
  scope: requiredTenantScope,
  ...suggestion,
  /** How far the documents of each dataset are counted. */
  countUpTo: z.int().min(0).max(MAX_COUNTED).default(MAX_COUNTED),
});
export type DatasetSuggestion = z.output<typeof datasetSuggestion>;

export const unitDatasetPage = datasetSuggestion.omit({ prefix: true, after: true }).extend({
  /** Only what is behind this dataset of this unit. */
  after: z.object({ tenantUnitId: identifier(), datasetId: identifier() }).optional(),
  /** Of units, and of the datasets of each. */
  order: z.enum(['asc', 'desc']).default('asc'),
});
export type UnitDatasetPage = z.output<typeof unitDatasetPage>;

/** Whether there are more than were asked for. */
const truncated = z.boolean();

export const reachedTenants = z.object({ tenantIds: z.array(z.string()), truncated });
export type ReachedTenants = z.output<typeof reachedTenants>;

export const reachedUnits = z.object({ tenantUnitIds: z.array(z.string()), truncated });
export type ReachedUnits = z.output<typeof reachedUnits>;

const reachedDataset = z.object({
  datasetId: z.string(),
  documents: z.int(),
  /** There are more documents than are counted. */
  isLowerBound: z.boolean(),
});

export const reachedDatasets = z.object({ datasets: z.array(reachedDataset), truncated });
export type ReachedDatasets = z.output<typeof reachedDatasets>;

export const reachedUnitDatasets = z.object({
  datasets: z.array(reachedDataset.extend({ tenantUnitId: z.string() })),
  truncated,
});
export type ReachedUnitDatasets = z.output<typeof reachedUnitDatasets>;
