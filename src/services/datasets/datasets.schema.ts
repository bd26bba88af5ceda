import { z } from 'zod';
import { nonEmptyText } from '../shared/fields.schema.js';
import { pageParameters, pageSchema } from '../shared/pagination.js';
import { requiredTenantScope } from '../shared/tenant-scope.js';

const MAX_NAME_PART = 255;
export const datasetOrders = ['name', 'documents', 'updatedTime', 'searches'] as const;

export const datasetFilter = z.object({
  scope: requiredTenantScope,
  ...pageParameters(50),
  /** A part of the id, in upper or lower case. */
  nameContains: nonEmptyText(MAX_NAME_PART).optional(),
  order: z.enum(datasetOrders).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
});
export type DatasetFilter = z.output<typeof datasetFilter>;

export const dataset = z.object({
  datasetId: z.string(),
  documents: z.int(),
  /** There are more documents than are counted. */
  isLowerBound: z.boolean(),
  chunks: z.int(),
  /** Of inline text and uploaded files, as far as it is known. */
  bytes: z.int(),
  /** When a document of it was last created, changed or processed. */
  updatedTime: z.date(),
  /** In the last 30 days; of a scope with units, by searches of one of these alone. */
  searches: z.int(),
  /** Chunks, bytes and time are those of some of the documents, the newest where the scope names no unit: there are very many. */
  isPartial: z.boolean(),
});
export type Dataset = z.output<typeof dataset>;

export const datasetPage = pageSchema(dataset).extend({
  /** The scope has more datasets than are looked through. */
  truncated: z.boolean(),
});
export type DatasetPage = z.output<typeof datasetPage>;
