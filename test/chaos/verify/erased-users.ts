import type { Model } from '../model/model.js';
import type { Sql } from './database.js';

/** Names of users that clients have made up, whose letters no stored bytes have in hexadecimal. */
const NAMES = 'client[0-9]+-user-[0-9]+';

/** Looks for erased users in every table. Gives what is wrong, a line for each table. */
export async function checkErasedUsers(sql: Sql, model: Model): Promise<string[]> {
  const erased = new Set(model.erasedUsers.map(({ userId }) => userId));
  const tables = await sql.select<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  const faults: string[] = [];
  for (const { name } of tables) {
    const found = await sql.select<{ user: string }>(`
      select distinct m.name[1] as user from ${name} as t
      cross join lateral regexp_matches(t::text, '${NAMES}', 'g') as m (name)`);
    const left = found.map(({ user }) => user).filter((user) => erased.has(user));
    if (left.length > 0) faults.push(`erased users in ${name}: ${left.slice(0, 3).join(', ')}`);
  }
  return faults;
}
