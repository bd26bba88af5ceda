import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/** A database client without the query guard, for tests. */
export function connectUnscoped(url: string, options: { max: number }): DatabaseClient {
  const client = connectDatabase(url, options);
  return { ...client, db: unscoped(client.db, 'Tests look at everything.') };
}
