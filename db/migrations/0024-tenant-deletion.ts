import { type Kysely, sql } from 'kysely';

/**
 * The audit log only grows, until its tenant is deleted: the owner of the table, which is not the role of requests, names
 * the tenant in `lectern.deleted_tenant` for the transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger audit_events_stay on audit_events;
    create trigger audit_events_stay before update or truncate on audit_events
      for each statement execute function refuse_change();
    create trigger audit_events_kept before delete on audit_events for each row
      when (old.tenant_id is distinct from current_setting('lectern.deleted_tenant', true))
      execute function refuse_change();
  `.execute(db);
}
