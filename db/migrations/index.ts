import type { Migration } from 'kysely';
import * as initial from './0001-initial.js';
import * as ingestion from './0002-ingestion.js';
import * as searchIndex from './0003-search-index.js';

/** Every migration, by the name under which it is recorded. Applied in the order of the names. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-ingestion': ingestion,
  '0003-search-index': searchIndex,
};
