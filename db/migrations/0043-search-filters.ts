import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Searches find documents by their properties, and know where the chunks of a document are in a segment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A value under a name as a number: equal ones have the same, and hardly any others do.
    create function property_entry(name text, value jsonb) returns bigint language sql immutable parallel safe return
      ('x' || left(md5(name || e'\\x01' || case jsonb_typeof(value)
        when 'number' then trim_scale((value #>> '{}')::numeric)::text else value::text end), 16))::bit(64)::bigint;

    create function property_entries(properties jsonb, document_name text, url text) returns setof bigint
    language sql immutable parallel safe rows 8 as $$
      select property_entry('customProperties.' || key, value) from jsonb_each(properties)
      where jsonb_typeof(value) in ('string', 'number', 'boolean')
      union select property_entry('document.name', to_jsonb(document_name)) where document_name is not null
      union select property_entry('document.url', to_jsonb(url)) where url is not null
    $$;

    create table document_properties (
      tenant_id   identifier not null,
      entry       bigint not null,
      document_id identifier not null,
      primary key (tenant_id, entry, document_id),
      foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
    );
    create index on document_properties (tenant_id, document_id);

    create function write_document_properties() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from document_properties where tenant_id = old.tenant_id and document_id = old.id;
      end if;
      insert into document_properties (tenant_id, entry, document_id)
        select new.tenant_id, entry, new.id
        from property_entries(new.custom_properties, new.document_name, new.url) as entry;
      return null;
    end $$;
    create trigger documents_with_properties after insert on documents
      for each row execute function write_document_properties();
    create trigger documents_properties_changed after update on documents for each row
      when ((old.custom_properties, old.document_name, old.url)
        is distinct from (new.custom_properties, new.document_name, new.url))
      execute function write_document_properties();
    -- A later migration fills the table.

    -- Four bytes for each chunk of the document: its place in the segment.
    alter table posting_segment_documents add column ordinals bytea;
  `.execute(db);
  await fillOrdinals(db);
  await protectTables(db, { document_properties: 'select, insert, delete' });
}

/** Writes where the chunks of documents are in all segments that do not say so. */
export async function fillOrdinals(db: QueryExecutorProvider): Promise<void> {
  await sql`
    update posting_segment_documents as p set ordinals = found.ordinals
    from (
      select s.tenant_id, s.id as segment_id, c.document_id, string_agg(int4send(place), '' order by place) as ordinals
      from posting_segments as s
      cross join generate_series(0, s.chunks - 1) as place
      join chunks as c on c.tenant_id = s.tenant_id
        and c.id = encode(substring(s.chunk_ids from 16 * place + 1 for 16), 'hex')::uuid::text
      group by s.tenant_id, s.id, c.document_id
    ) as found
    where p.tenant_id = found.tenant_id and p.segment_id = found.segment_id and p.document_id = found.document_id;
    -- Of documents whose chunks are gone.
    update posting_segment_documents set ordinals = '' where ordinals is null;
  `.execute(db);
}
