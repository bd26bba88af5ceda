import { type Kysely, sql } from 'kysely';

/** Changes are folded tenant by tenant, and counters are those of one tenant: of all tenants there are none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from list_counters where tenant_id = '';
    drop function fold_list_changes(integer);
    drop function is_counted_by(list_counters, list_changes);
  `.execute(db);
}
