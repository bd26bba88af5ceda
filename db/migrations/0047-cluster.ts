import { type Kysely, sql } from 'kysely';

/**
 * The tenant of a transaction reaches the other nodes of a cluster: Citus repeats there what is set by statements, and not
 * what is set by set_config().
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace procedure become_tenant(tenant text) language plpgsql as $$
    begin
      -- Each a statement of its own, since its text is what is repeated.
      execute format('set local role %I', tenant_role());
      execute format('set local lectern.tenant_id = %L', tenant);
    end $$;
  `.execute(db);
}
