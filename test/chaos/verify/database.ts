import pg from 'pg';

export interface Sql {
  select<R extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** Looks into the database beside the service. */
export function openDatabase(url: string): Sql {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  return {
    select: async (statement, values = []) => (await pool.query(statement, values)).rows as never,
    close: () => pool.end(),
  };
}
