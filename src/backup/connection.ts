import pg from 'pg';

/** What rows are written as and read from, whatever the server's settings, in the session or in a transaction of it. */
export const SET_FORMAT = (scope: 'session' | 'local'): string => `
  set ${scope} datestyle = 'ISO'; set ${scope} intervalstyle = 'postgres'; set ${scope} timezone = 'UTC';
  set ${scope} extra_float_digits = 3; set ${scope} bytea_output = 'hex'`;
/** No limits, since a table takes as long as it takes; and an error in place of rows that row-level security would hide. */
const SETTINGS = `
  ${SET_FORMAT('session')};
  set client_encoding = 'UTF8'; set row_security = off; set lock_timeout = '60s'`;
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'];

/** Does something over a connection of its own, which is closed whatever happens. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  // The statement under way reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    await prepareConnection(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function prepareConnection(client: pg.Client): Promise<void> {
  await client.query(SETTINGS);
  await client.query(`select set_config(name, '0', false) from pg_settings where name = any($1)`, [LIMITS]);
}

export const quote = pg.escapeIdentifier;
