import type pg from 'pg';

/** Longer than each is kept. */
const AGES: Record<string, { column: string; by: string }> = {
  webhook_deliveries: { column: 'created_time', by: '31 days' },
  idempotency_keys: { column: 'created_time', by: '25 hours' },
  activity_minutes: { column: 'minute', by: '49 hours' },
  dataset_searches: { column: 'day', by: '32 days' },
};

/** Until then a process still counts what happened in a minute. */
const LEAST_MS = 3 * 60_000;

/** Dates back what is some minutes old, so that the retention ends it. */
export async function ageRows(pool: pg.Pool, keepMs: number): Promise<void> {
  for (const [table, { column, by }] of Object.entries(AGES)) {
    await pool.query(
      `update ${table} set ${column} = ${column} - $1::interval
       where ${column} < now() - $2 * interval '1 millisecond' and ${column} > now() - interval '12 hours'`,
      [by, Math.max(keepMs, LEAST_MS)],
    );
  }
  // What a session has left is prolonged by each use: these are not used.
  await pool.query(
    `update sessions set expires_time = now() where created_time < now() - $1 * interval '1 millisecond'`,
    [keepMs],
  );
}
