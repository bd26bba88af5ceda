import { z } from 'zod';
import { boundedArray, filterValue, identifier } from '../shared/fields.schema.js';
import { MAX_BATCH } from '../shared/pagination.js';
import { tenantScope } from '../shared/tenant-scope.js';

/** Clients may call again to wait longer. */
export const MAX_WAIT_SECONDS = 60;

export const searchableWait = z.object({
  /** The tenant is optional with chunk ids: they are globally unique. */
  scope: tenantScope.default({}),
  documentId: identifier(),
  /** Waits for these chunks only, not for processing of the document. */
  chunkIds: boundedArray(filterValue(), MAX_BATCH).optional(),
  seconds: z.int().min(0).max(MAX_WAIT_SECONDS),
});
export type SearchableWait = z.output<typeof searchableWait>;

export const searchability = z.object({ searchable: z.boolean() });
export type Searchability = z.output<typeof searchability>;
