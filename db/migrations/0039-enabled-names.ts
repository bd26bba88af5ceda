import { type Kysely, sql } from 'kysely';

/** The names of disabled documents go: a limit on how many are read would otherwise show that they are there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function write_dataset_names() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from document_names
        where tenant_id = old.tenant_id and document_id = old.document_id and dataset_id = old.dataset_id;
      end if;
      if tg_op <> 'DELETE' then
        insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
          select d.tenant_id, d.tenant_unit_id, new.dataset_id, name_end, d.id
          from documents as d
          cross join lateral (
            select * from name_ends(d.document_name) union select * from name_ends(d.title)) as ends (name_end)
          where d.tenant_id = new.tenant_id and d.id = new.document_id and d.enabled and name_end <> '';
      end if;
      return null;
    end $$;

    create or replace function write_document_names() returns trigger language plpgsql as $$
    begin
      delete from document_names where tenant_id = old.tenant_id and document_id = old.id;
      insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
        select new.tenant_id, new.tenant_unit_id, s.dataset_id, name_end, new.id
        from document_datasets as s
        cross join (select * from name_ends(new.document_name) union select * from name_ends(new.title)) as ends (name_end)
        where s.tenant_id = new.tenant_id and s.document_id = new.id and new.enabled and name_end <> '';
      return null;
    end $$;
    drop trigger documents_renamed on documents;
    create trigger documents_renamed after update on documents for each row
      when ((old.tenant_id, old.tenant_unit_id, old.document_name, old.title, old.enabled)
        is distinct from (new.tenant_id, new.tenant_unit_id, new.document_name, new.title, new.enabled))
      execute function write_document_names();

    delete from document_names as n using documents as d
      where d.tenant_id = n.tenant_id and d.id = n.document_id and not d.enabled;
  `.execute(db);
}
