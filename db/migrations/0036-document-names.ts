import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Documents are found by the words of their names and titles while these are typed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Words in lower case without accents, with one space between them.
    create function fold_name(name text) returns text language sql immutable parallel safe return
      trim(regexp_replace(
        lower(normalize(regexp_replace(normalize(left(name, 200), nfkd), '[\\u0300-\\u036f]+', '', 'g'), nfc)),
        '[\\s\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g'));

    -- The first ends of a name, each from the beginning of a word on; in scripts without spaces, from each character on.
    create function name_ends(name text) returns setof text language sql immutable parallel safe rows 4 as $$
      select substr(folded, place, 64)
      from (select fold_name(name) as folded offset 0) as once, generate_series(1, length(folded)) as place
      where place = 1 or substr(folded, place - 1, 1) = ' '
        or ascii(substr(folded, place, 1)) between 3584 and 55203 -- from Thai to Hangul
      limit 16
    $$;

    -- By dataset, so that a search reads no more and no less for what is in others.
    create table document_names (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      dataset_id     identifier not null,
      name_end       text collate "C" not null,
      document_id    identifier not null,
      primary key (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
    );
    create index on document_names (tenant_id, document_id);

    create function write_dataset_names() returns trigger language plpgsql as $$
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
          where d.tenant_id = new.tenant_id and d.id = new.document_id and name_end <> '';
      end if;
      return null;
    end $$;
    create trigger document_datasets_named after insert or update or delete on document_datasets
      for each row execute function write_dataset_names();

    create function write_document_names() returns trigger language plpgsql as $$
    begin
      delete from document_names where tenant_id = old.tenant_id and document_id = old.id;
      insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
        select new.tenant_id, new.tenant_unit_id, s.dataset_id, name_end, new.id
        from document_datasets as s
        cross join (select * from name_ends(new.document_name) union select * from name_ends(new.title)) as ends (name_end)
        where s.tenant_id = new.tenant_id and s.document_id = new.id and name_end <> '';
      return null;
    end $$;
    create trigger documents_renamed after update on documents for each row
      when ((old.tenant_id, old.tenant_unit_id, old.document_name, old.title)
        is distinct from (new.tenant_id, new.tenant_unit_id, new.document_name, new.title))
      execute function write_document_names();

    insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
      select d.tenant_id, d.tenant_unit_id, s.dataset_id, name_end, d.id
      from documents as d
      join document_datasets as s on s.tenant_id = d.tenant_id and s.document_id = d.id
      cross join lateral (
        select * from name_ends(d.document_name) union select * from name_ends(d.title)) as ends (name_end)
      where name_end <> '';
  `.execute(db);
  await protectTables(db, { document_names: 'select, insert, delete' });
}
