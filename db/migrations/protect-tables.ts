import { type Kysely, sql } from 'kysely';

/**
 * Enables row-level security: the permissive policy lets every role be as its grants say, the restrictive one narrows the
 * role of tenants to the rows of one.
 *
 * @param tables what that role may do with each, such as "select, insert"; undefined where it was granted before
 */
export async function protectTables(
  db: Kysely<unknown>,
  tables: Record<string, string | undefined>,
): Promise<void> {
  const { rows } = await sql<{ role: string }>`select tenant_role() as role`.execute(db);
  const role = sql.id(rows[0]?.role ?? '');
  for (const [name, privileges] of Object.entries(tables)) {
    const table = sql.table(name);
    await sql`
      alter table ${table} enable row level security;
      create policy by_grants on ${table} using (true) with check (true);
      create policy one_tenant on ${table} as restrictive to ${role}
        using (tenant_id = current_setting('lectern.tenant_id', true))
        with check (tenant_id = current_setting('lectern.tenant_id', true));
    `.execute(db);
    if (privileges) await sql`grant ${sql.raw(privileges)} on ${table} to ${role}`.execute(db);
  }
}
