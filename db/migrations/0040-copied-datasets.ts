import { type Kysely, sql } from 'kysely';

/**
 * The datasets of many documents are copied into their rows in linear time. A statement for all of them was joined in
 * quadratic time wherever the planner expected one row: of a tenant that its statistics do not know, or by a plan that the
 * connection had made for one document.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function copy_datasets() returns trigger language plpgsql as $$
    declare
      changed record;
    begin
      for changed in
        select distinct tenant_id, document_id from changed_rows order by tenant_id, document_id
      loop
        -- The lock comes first, so that the next statement sees what another one has written meanwhile.
        perform from documents where tenant_id = changed.tenant_id and id = changed.document_id for no key update;
        update documents as d set dataset_ids = found.ids
        from (
          select array(
            select dataset_id::text from document_datasets
            where tenant_id = changed.tenant_id and document_id = changed.document_id order by dataset_id) as ids
        ) as found
        where d.tenant_id = changed.tenant_id and d.id = changed.document_id and d.dataset_ids <> found.ids;
      end loop;
      return null;
    end $$;
  `.execute(db);
}
