import { z } from 'zod';
import { boundedArray, filterValue, identifier } from '../shared/fields.schema.js';
import { MAX_BATCH } from '../shared/pagination.js';
import { tenantScope } from '../shared/tenant-scope.js';

/** Whoever wants to wait longer asks again. */
export const MAX_WAIT_SECONDS = 60;

export const searchableWait = z.object({
  /** The tenant may be left out where chunks are named: their ids are unique everywhere. */
  scope: tenantScope.default({}),
  documentId: identifier(),
  /** Waits for what was done to these chunks alone, and not for the document to be processed. */
  chunkIds: boundedArray(filterValue(), MAX_BATCH).optional(),
  seconds: z.int().min(0).max(MAX_WAIT_SECONDS),
});
export type SearchableWait = z.output<typeof searchableWait>;

export const searchability = z.object({ searchable: z.boolean() });
export type Searchability = z.output<typeof searchability>;
