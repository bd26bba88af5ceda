import type { PostgresPool } from 'kysely';
import type pg from 'pg';

export interface TenantShareOptions {
  /** Whose work the caller is doing; undefined where connections are not limited. */
  currentTenant: () => string | undefined;
  /**
   * Does `work`, which holds a connection until its promise settles, when the tenant may have one more.
   * @throws when the tenant waited for too long
   */
  run: (tenantId: string, work: () => Promise<void>) => Promise<void>;
}

/** A pool of whose connections one tenant gets only some at a time. `pool` is the one that `connections` come from. */
export function sharedByTenants(
  pool: pg.Pool,
  connections: PostgresPool,
  { currentTenant, run }: TenantShareOptions,
): PostgresPool {
  const releases = new Map<unknown, () => void>();
  pool.on('release', (_error, client) => {
    releases.get(client)?.();
    releases.delete(client);
  });

  return {
    connect() {
      const tenantId = currentTenant();
      if (tenantId === undefined) return connections.connect();
      return new Promise((resolve, reject) => {
        const hold = async () => {
          const client = await connections.connect();
          const released = new Promise<void>((release) => releases.set(client, release));
          resolve(client);
          await released;
        };
        run(tenantId, hold).catch(reject);
      });
    },
    end: () => connections.end(),
  };
}
