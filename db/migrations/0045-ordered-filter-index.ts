import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Searches find documents by ranges of their properties, and chunks by their metadata. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await orderProperties(db);
  await createMetadata(db);
}

/** The index of segments is filled in the background. */
async function createMetadata(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Whether its chunks are found by their metadata. Null: nobody has looked.
    alter table posting_segments add column has_metadata boolean;

    -- Which chunks of a segment have a value in their metadata, in ascending order of the values, cut into blocks.
    create table posting_segment_metadata (
      tenant_id   identifier not null,
      segment_id  bigint not null,
      first_entry bytea not null,
      entries     bytea not null,  -- see segment-metadata.ts
      primary key (tenant_id, segment_id, first_entry),
      foreign key (tenant_id, segment_id) references posting_segments on delete cascade
    );
    alter table posting_segment_metadata alter column entries set storage external;
  `.execute(db);
  await protectTables(db, { posting_segment_metadata: 'select' });
}

/**
 * The index of properties is in the order of their values. An entry is 8 bytes of a hash of the name, a byte for the type,
 * and the value: see `src/search/filter/entry.ts`, which makes the same.
 */
async function orderProperties(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function property_entries(jsonb, text, text);
    drop function property_entry(text, jsonb);

    -- The text, without the meaning that backslashes have in bytes.
    create function text_bytes(value text) returns bytea language sql immutable parallel safe return
      replace(value, '\\', '\\\\')::bytea;

    -- Of numbers that differ, the lesser has no greater one.
    create function bounded_float(value numeric) returns float8 language sql immutable parallel safe return
      case when abs(value) < 1e-300 then 0 when abs(value) <= 1.7976931348623157e308 then value::float8
        else sign(value)::float8 * 'Infinity'::float8 end;

    create function float_bits(value float8) returns bigint language sql immutable parallel safe return
      ('x' || encode(float8send(abs(value)), 'hex'))::bit(64)::bigint;

    -- As many bits, in ascending order.
    create function ordered_bytes(value float8) returns bytea language sql immutable parallel safe return
      int8send(case when value < 0 then 9223372036854775807 - float_bits(value)
        else float_bits(value) - 9223372036854775807 - 1 end);

    create function ordered_bytes(value bytea) returns bytea language sql immutable parallel safe return
      case when octet_length(value) <= 48 then value
        else substring(value for 48) || substring(sha256(value) for 8) end;

    create function property_entry(name text, value jsonb) returns bytea language sql immutable parallel safe return
      substring(sha256(text_bytes(name)) for 8) || case jsonb_typeof(value)
        when 'number' then '\\x01'::bytea || ordered_bytes(bounded_float((value #>> '{}')::numeric))
        when 'string' then '\\x02'::bytea || ordered_bytes(text_bytes(value #>> '{}'))
        when 'boolean' then case when value::boolean then '\\x0301'::bytea else '\\x0300'::bytea end
        -- An array whose elements have no entries.
        when 'array' then case when jsonb_array_length(value) > 64 then '\\x04'::bytea else '\\x00'::bytea end
        else '\\x00'::bytea end;

    create function property_entries(properties jsonb, document_name text, url text) returns setof bytea
    language sql immutable parallel safe rows 8 as $$
      select property_entry('customProperties.' || key, value) from jsonb_each(properties)
      where jsonb_typeof(value) <> 'null'
      union
      select property_entry('customProperties.' || key, element)
      from jsonb_each(properties)
      cross join lateral jsonb_array_elements(case when jsonb_typeof(value) = 'array' then
        case when jsonb_array_length(value) <= 64 then value end end) as element
      where jsonb_typeof(element) in ('number', 'boolean')
      union select property_entry('document.name', to_jsonb(document_name)) where document_name is not null
      union select property_entry('document.url', to_jsonb(url)) where url is not null
    $$;

    -- Whoever writes a document waits here, and not for the table below.
    lock table documents in share row exclusive mode;
    truncate document_properties;
    alter table document_properties drop constraint document_properties_pkey,
      drop constraint document_properties_tenant_id_document_id_fkey,
      alter column entry type bytea using '';
    drop index document_properties_tenant_id_document_id_idx;
    insert into document_properties (tenant_id, entry, document_id)
      select tenant_id, entry, id
      from documents cross join lateral property_entries(custom_properties, document_name, url) as entry;
    alter table document_properties add primary key (tenant_id, entry, document_id),
      add foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade;
    create index on document_properties (tenant_id, document_id);
  `.execute(db);
}
