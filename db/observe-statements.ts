import type { Logger as KyselyLogger, PostgresPool } from 'kysely';

/** Learns of what a pool does, in the asynchronous context of whoever asked for it. */
export interface StatementObserver {
  /** A statement has ended; its text holds no parameters. */
  executed(statement: { text: string; ms: number; error?: unknown }): void;
  /** A connection was waited for. */
  waited(ms: number): void;
}

export const toKyselyLogger =
  ({ executed }: StatementObserver): KyselyLogger =>
  (event) =>
    executed({
      text: event.query.sql,
      ms: event.queryDurationMillis,
      ...(event.level === 'error' && { error: event.error }),
    });

export const observedPool = (pool: PostgresPool, { waited }: StatementObserver): PostgresPool => ({
  async connect() {
    const start = performance.now();
    const client = await pool.connect();
    waited(performance.now() - start);
    return client;
  },
  end: () => pool.end(),
});
