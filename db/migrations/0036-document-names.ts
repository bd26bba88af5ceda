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

    create table document_names (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      name_end       text collate "C" not null,
      document_id    identifier not null,
      primary key (tenant_id, tenant_unit_id, name_end, document_id)
    );

    create function write_document_names() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        delete from document_names
        where tenant_id = old.tenant_id and tenant_unit_id = old.tenant_unit_id and document_id = old.id
          and name_end in (select * from name_ends(old.document_name) union select * from name_ends(old.title));
      end if;
      if tg_op <> 'DELETE' then
        insert into document_names (tenant_id, tenant_unit_id, name_end, document_id)
          select new.tenant_id, new.tenant_unit_id, name_end, new.id
          from (select * from name_ends(new.document_name) union select * from name_ends(new.title)) as ends (name_end)
          where name_end <> '';
      end if;
      return null;
    end $$;
    create trigger documents_named after insert or delete on documents
      for each row execute function write_document_names();
    create trigger documents_renamed after update on documents for each row
      when ((old.tenant_id, old.tenant_unit_id, old.document_name, old.title)
        is distinct from (new.tenant_id, new.tenant_unit_id, new.document_name, new.title))
      execute function write_document_names();

    insert into document_names (tenant_id, tenant_unit_id, name_end, document_id)
      select tenant_id, tenant_unit_id, name_end, id
      from documents
      cross join lateral (
        select * from name_ends(document_name) union select * from name_ends(title)) as ends (name_end)
      where name_end <> '';
  `.execute(db);
  await protectTables(db, { document_names: 'select, insert, delete' });
}
