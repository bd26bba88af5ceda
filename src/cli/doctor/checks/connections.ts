import { sql } from 'kysely';
import { countDatabaseConnections } from '../../../config/open-files.js';
import { countOf } from '../../shared/format.js';
import { ofDatabase, ok, problem, warning } from '../check.js';

const MUCH_USED = 0.85;
const ADVICE = 'Raise max_connections, or lower DATABASE_REQUEST_CONNECTIONS and the others.';

/** Whether the pools of a server fit into what PostgreSQL allows. */
export const checkConnections = ofDatabase('connections', async ({ db }, { config }) => {
  const { rows } = await sql<{ allowed: number; used: number }>`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer as allowed,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used
  `.execute(db);
  const { allowed, used } = rows[0] as (typeof rows)[0];
  const needed = countDatabaseConnections(config);
  const said = `A server with ROLE=${config.role} opens up to ${needed} of the ${countOf(allowed, 'connection')} that PostgreSQL allows`;
  if (needed > allowed) return problem(`${said}.`, ADVICE);
  if (used > allowed * MUCH_USED) return warning(`${said}; ${used} are in use.`, ADVICE);
  return ok(`${said}.`);
});
