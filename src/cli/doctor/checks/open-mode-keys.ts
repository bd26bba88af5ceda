import { sql } from 'kysely';
import { ofTables, ok, warning } from '../check.js';

const SHOWN = 20;

/** Keys that anybody could make, and that stay valid when callers need one. */
export const checkOpenModeKeys = ofTables('keys', async ({ db }, { config }) => {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count(*) over ()::integer as count from api_keys
    where made_in_open_mode and revoked_time is null and (expires_time is null or expires_time > now())
    order by created_time, id limit ${SHOWN}
  `.execute(db);
  const count = rows[0]?.count ?? 0;
  if (config.authMode !== 'required') return ok(`Keys that were made in open mode: ${count}.`);
  if (count === 0) return ok('No key that can be used was made in open mode.');
  const ids = rows.map(({ id }) => id).join(', ');
  const more = count > rows.length ? ` and ${count - rows.length} more` : '';
  return warning(
    `Keys that anybody could make in open mode, and that can be used: ${ids}${more}.`,
    'Look at them with lectern keys list; revoke them, or replace those that are needed with lectern keys rotate.',
  );
});
