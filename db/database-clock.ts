import type pg from 'pg';

const INTERVAL_MS = 10_000;

export interface DatabaseClock {
  /** The time by the clock of the database, as it was read last, and gone on since. */
  now(): Date;
  stop(): void;
}

/**
 * The clock that all processes of a database share: theirs may differ, and may be set. Between two looks it follows the
 * time since this process began, which nobody sets. While the database is away it goes on.
 *
 * @throws what the first look throws
 */
export async function startDatabaseClock(
  pool: Pick<pg.Pool, 'query'>,
  { intervalMs = INTERVAL_MS } = {},
): Promise<DatabaseClock> {
  let offset = await readOffset(pool);
  const look = () =>
    readOffset(pool)
      .then((read) => {
        offset = read;
      })
      .catch(() => {})
      .finally(() => timer.refresh());
  const timer = setTimeout(look, intervalMs).unref();
  return { now: () => new Date(performance.now() + offset), stop: () => clearTimeout(timer) };
}

/** Milliseconds from this process's time to that of the database; the answer took as long as the question. */
async function readOffset(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const asked = performance.now();
  const { rows } = await pool.query<{ time: Date }>('select clock_timestamp() as time');
  const { time } = rows[0] as { time: Date };
  return time.getTime() - (asked + performance.now()) / 2;
}
