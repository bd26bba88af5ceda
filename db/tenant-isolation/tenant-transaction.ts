import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Database, Queryable } from '../schema.js';

/**
 * Runs `work` in a transaction under row-level security: only rows of `tenantId` are visible and writable.
 *
 * The role belongs to this database alone, since a user who may take a role has it in every database of the server. The
 * SQL function `tenant_role()` holds its name.
 */
export function tenantTransaction<T>(
  db: Database,
  tenantId: string,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (tx) => {
    try {
      // One message: no extra round trip.
      await run(tx, `begin; call become_tenant(${pg.escapeLiteral(tenantId)})`);
      const result = await work(tx);
      await run(tx, 'commit');
      return result;
    } catch (error) {
      // Where this fails the connection is broken, and the pool drops it.
      await run(tx, 'rollback').catch(() => {});
      throw error;
    }
  });
}

const run = (db: Queryable, sql: string) => db.executeQuery(CompiledQuery.raw(sql));
