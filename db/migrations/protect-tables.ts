import { type Kysely, sql } from 'kysely';

/**
 * Enables row-level security: one policy lets other roles be as their grants say, one lets the role of tenants see the rows
 * of one. Both are permissive, the only ones that Citus knows.
 *
 * @param tables what that role may do with each, such as "select, insert"; undefined where it was granted before
 */
export async function protectTables(
  db: Kysely<unknown>,
  tables: Record<string, string | undefined>,
): Promise<void> {
  const { rows } = await sql<{ role: string }>`select tenant_role() as role`.execute(db);
  const role = sql.id(rows[0]?.role ?? '');
  const literal = sql.lit(rows[0]?.role ?? '');
  for (const [name, privileges] of Object.entries(tables)) {
    const table = sql.table(name);
    await sql`
      alter table ${table} enable row level security;
      create policy by_grants on ${table} using (current_user <> ${literal}) with check (current_user <> ${literal});
      create policy one_tenant on ${table} to ${role}
        using (tenant_id = current_setting('lectern.tenant_id', true))
        with check (tenant_id = current_setting('lectern.tenant_id', true));
    `.execute(db);
    if (privileges) await sql`grant ${sql.raw(privileges)} on ${table} to ${role}`.execute(db);
  }
}
