import { describe, expect, test } from 'vitest';
import { findUnscopedTable } from './find-unscoped.js';

const passes = [
  'select 1',
  'select error from search_index where error is null',
  'select * from conversations where tenant_id = $1',
  'select * from "conversations" where "id" = $1 and "tenant_id" = $2 and "tenant_unit_id" = any($3)',
  'select * from conversations where (tenant_id = $1 and (id = $2))',
  'select * from api_keys as k where k.tenant_id = any($1::text[]) limit 1',
  'select * from conversations c where $1::text = c.tenant_id for update of c',
  "select * from public.uploads where uploads.tenant_id in ($1, 'acme')",
  'select * from conversations where tenant_id = cast($1 as text) and (status = $2 or topic is null)',
  'select * from documents where created_time between $1 and $2 and tenant_id = $3',
  'select count(*) from (select from chunks where tenant_id = $1 for update) as locked',
  'select * from documents d join chunks c on c.tenant_id = d.tenant_id and c.document_id = d.id where d.tenant_id = $1',
  'select * from documents d left join chunks c on c.tenant_id = d.tenant_id where d.tenant_id = $1',
  'select * from documents d left outer join chunks c on c.tenant_id = $1 inner join messages m on m.tenant_id = $1 where d.tenant_id = $1',
  'select * from documents d, chunks c where d.tenant_id = c.tenant_id and c.tenant_id = $1',
  'select * from (documents d join chunks c on c.tenant_id = d.tenant_id) where d.tenant_id = $1',
  'select array(select dataset_id from document_datasets s where s.tenant_id = $2) from documents where tenant_id = $1',
  'select * from documents as d where d.tenant_id = $1 and exists (select from chunks c where c.tenant_id = $2)',
  'with page as (select tenant_id, id from documents where tenant_id = $1) select * from documents join page on page.id = documents.id and documents.tenant_id = $2',
  'select * from documents where tenant_id = $1 union all select * from documents where tenant_id = $2 order by 1',
  'select case when status = $2 then 1 end from documents where tenant_id = $1 and x is distinct from y',
  'update documents set status = $1 where tenant_id = $2 and id = $3 returning *',
  'update only documents as d set status = x.status from (select 1) as x where d.tenant_id = $2',
  'delete from documents where tenant_id = $1',
  'declare c cursor for select * from documents where tenant_id = $1',
  'delete from chunks as c using documents as d where d.tenant_id = $1 and c.tenant_id = d.tenant_id',
  'insert into documents (id, tenant_id) values ($1, $2)',
  'insert into documents as d ("id", "tenant_id") select id, $1 from documents where tenant_id = $1',
  'insert into idempotency_keys (tenant_id, caller, key) values ($1, $2, $3) on conflict (tenant_id, caller, key) do update set result = $4',
  'insert into chunk_terms (chunk_id, tenant_id) values ($1, $2) on conflict (chunk_id) do update set length = excluded.length where chunk_terms.tenant_id = excluded.tenant_id',
  'insert into chunks (tenant_id) values ($1) on conflict do nothing returning id',
  'select sum(chunks) from corpus_statistics where tenant_id = $1',
  'begin; set local role lectern_reader; select 1;',
  'alter table documents add column x text; create index on search_index (error)',
  'lock table search_index in access exclusive mode',
  `select 'from documents', "from documents", $$ from documents $$ -- from documents
   /* from /* documents */ documents */ from search_index`,
  // What only the grammar of PostgreSQL can tell.
  "select e'\\' from documents'",
  'select U&"d\\0061t\\+000061" from search_index',
  'select * from documents d left join (chunks c join messages m on m.tenant_id = $1) on c.tenant_id = d.tenant_id where d.tenant_id = $1',
  'select * from documents d left join chunks c left join messages m on m.tenant_id = c.tenant_id on c.tenant_id = d.tenant_id where d.tenant_id = $1',
  'select * from documents d tablesample system (10) where d.tenant_id = $1',
  'select extract(year from created_time), trim(leading from title) from documents where tenant_id = $1',
  'select substring(title from 1 for 3) from documents where tenant_id = $1 for update of documents skip locked',
  'select * from documents where (tenant_id, id) in (($1, $2)) and tenant_id = $1',
  'select * from documents where id is not distinct from $2 and title not between $3 and $4 and tenant_id = $1',
  'select count(*) filter (where enabled) over (partition by status) from documents where tenant_id = $1',
  'with recursive r as (select id from documents where tenant_id = $1 union all select d.id from documents d, r where d.tenant_id = $1) select * from r',
  'delete from chunks c using documents d join document_datasets s on s.tenant_id = d.tenant_id where c.tenant_id = d.tenant_id and d.tenant_id = $1',
  'delete from api_keys k using sessions s where k.tenant_id = s.tenant_id and s.tenant_id = any(array[$1, $2]::text[])',
  'insert into search_outbox (tenant_id, chunk_id) select t, t from unnest($1::text[]) as t on conflict do nothing',
  'insert into chunks (id, tenant_id) select d.id, d.tenant_id from documents d, unnest($1::text[]) as t where d.tenant_id = $2',
  'insert into chunks (tenant_id, id) select tenant_id, d.* from (select * from chunk_drafts where tenant_id = $1) as d',
  'insert into chunks (tenant_id, id) values ($1, $2), ($3, $4)',
  'insert into chunks (tenant_id, id) select $1, 1 union all select $2, 2',
  "select * from documents where title = 'it''s; or' and tenant_id = $1",
];

const refusals: [table: string, sql: string][] = [
  ['conversations', 'select * from conversations'],
  ['conversations', 'select * from "conversations" where "id" = $1'],
  ['conversations', 'select * from Conversations where id = $1'],
  ['conversations', 'select * from public.conversations where id = $1'],
  ['conversations', 'table conversations'],
  ['conversations', 'select tenant_id from conversations where tenant_unit_id = $1'],
  ['conversations', 'select * from conversations where tenant_id = $1 or true'],
  ['conversations', 'select * from conversations where (tenant_id = $1 or id = $2) and id = $2'],
  ['conversations', 'select * from conversations where not (tenant_id = $1)'],
  ['conversations', 'select * from conversations where tenant_id <> $1 and tenant_id >= $1'],
  ['conversations', 'select * from conversations where tenant_id = tenant_id'],
  ['conversations', 'select * from conversations where tenant_id is not null'],
  ['conversations', 'select * from conversations where tenant_id = $1 is not null'],
  ['conversations', 'select * from conversations where tenant_id = $1::text is not null'],
  ['conversations', 'select * from conversations where (tenant_id = $1) = false'],
  [
    'conversations',
    'select * from conversations where case when id = $1 and tenant_id = $2 and true then true else true end',
  ],
  ['conversations', 'select * from conversations where tenant_id not in ($1)'],
  ['conversations', 'select * from conversations where tenant_id in (select tenant_id from search_index)'],
  ['conversations', "select * from conversations where id = 'tenant_id = $1'"],
  ['conversations', 'select * from conversations -- where tenant_id = $1'],
  ['conversations', 'select tenant_id = $1 from conversations'],
  ['conversations', 'select * from conversations group by id having tenant_id = $1'],
  ['conversations', 'select * from search_index, conversations'],
  ['conversations', 'select 1; select * from conversations'],
  ['conversations', '(select * from conversations)'],
  ['conversations', 'explain select * from conversations where tenant_id = $1'],
  ['documents', 'alter table documents add column x text; update documents set x = 1'],
  ['documents', 'create table copied as select * from documents'],
  ['documents', 'do $do$ begin end $do$; select * from documents'],
  ['documents', 'truncate documents'],
  ['documents', 'copy documents to stdout'],
  [
    'messages',
    'select * from conversations c join messages m on m.conversation_id = c.id where c.tenant_id = $1',
  ],
  [
    'messages',
    'select (select count(*) from messages m where m.conversation_id = c.id) from conversations c where c.tenant_id = $1',
  ],
  [
    'conversations',
    'select * from conversations c left join messages m on c.tenant_id = $1 and m.tenant_id = $1',
  ],
  [
    'conversations',
    'select * from conversations c left join messages m on m.tenant_id = c.tenant_id and m.tenant_id = $1',
  ],
  [
    'conversations',
    'select * from conversations c right join messages m on c.tenant_id = $1 and m.tenant_id = $1',
  ],
  [
    'conversations',
    'select * from conversations c full join messages m on c.tenant_id = $1 where m.tenant_id = $1',
  ],
  ['conversations', 'select * from conversations c, messages m where c.tenant_id = m.tenant_id'],
  [
    'conversations',
    'select * from conversations c, lateral (select c.tenant_id) as l where c.tenant_id = l.tenant_id',
  ],
  [
    'conversations',
    'select * from conversations c, unnest(array[c.tenant_id]) as l (tenant_id) where c.tenant_id = l.tenant_id',
  ],
  [
    'chunks',
    'select * from documents d where d.tenant_id = $1 and exists (select from chunks where d.tenant_id = $1)',
  ],
  ['chunks', 'select * from documents where tenant_id = $1 union select * from chunks'],
  [
    'documents',
    'with all_of_them as (select * from documents) select * from all_of_them where tenant_id = $1',
  ],
  ['documents', 'with x as (delete from documents returning *) select 1'],
  ['documents', 'update documents set tenant_id = $1'],
  ['documents', 'update documents set status = $1 where id = $2'],
  ['documents', 'update search_index set error = d.id from documents as d'],
  ['documents', 'delete from documents'],
  ['documents', 'delete from search_index using documents d where d.id = $1'],
  ['documents', 'insert into documents values ($1, $2)'],
  ['documents', 'insert into documents (id) values ($1)'],
  ['documents', 'insert into documents select * from documents where tenant_id = $1'],
  ['documents', 'insert into search_index (error) select id from documents'],
  ['documents', 'insert into search_index (error) values ((select max(id) from documents))'],
  [
    'chunk_terms',
    'insert into chunk_terms (chunk_id, tenant_id) values ($1, $2) on conflict (chunk_id) do update set length = 1',
  ],
  [
    'chunk_terms',
    'insert into chunk_terms (chunk_id, tenant_id) values ($1, $2) on conflict (chunk_id) do update set length = 1 where chunk_terms.tenant_id = chunk_terms.tenant_id',
  ],
  ['documents', 'select * from documents d tablesample system (10)'],
  ['documents', 'select * into documents from search_index'],
  ['documents', 'select U&"tenant_id" from U&"d\\006fcuments"'],
  ['documents', 'select * from documents where (tenant_id = $1) is true'],
  ['documents', 'select * from documents where tenant_id operator(public.=) $1'],
  ['documents', 'select * from documents where tenant_id = all($1)'],
  ['documents', 'select * from documents where tenant_id <> any($1)'],
  ['documents', 'select * from documents where tenant_id = any(select tenant_id from search_index)'],
  ['documents', 'select * from documents where tenant_id::"char" = $1'],
  ['documents', 'select * from documents where (tenant_id, id) = ($1, $2)'],
  ['documents', 'select * from search_index union (select 1 except select 2 from documents)'],
  ['documents', 'update search_index set error = (select id from documents limit 1)'],
  ['documents', 'select count(*) filter (where exists (select from documents)) from search_index'],
  ['documents', 'prepare p as select * from documents where tenant_id = $1'],
  ['documents', 'declare c cursor for select * from documents'],
  ['documents', 'create view v as select * from documents'],
  [
    'chunks',
    'select * from documents d left join (chunks c left join messages m on m.tenant_id = c.tenant_id and c.tenant_id = $1) on true where d.tenant_id = $1',
  ],
  [
    'conversations',
    'select * from conversations c, jsonb_to_recordset(c.inputs) as l (tenant_id text) where c.tenant_id = l.tenant_id',
  ],
  [
    'chunk_terms',
    'insert into chunk_terms (chunk_id, tenant_id) values ($1, $2) on conflict on constraint chunk_terms_pkey do update set length = 1',
  ],
  ['documents', 'merge into documents using search_index on true when matched then delete'],
  // A cluster would not know the shard.
  ['conversations', 'select * from conversations as c where c.tenant_id = any($1::text[]) limit 1'],
  ['conversations', "select * from public.conversations where conversations.tenant_id in ($1, 'acme')"],
  [
    'document_datasets',
    'select array(select dataset_id from document_datasets s where s.tenant_id = documents.tenant_id) from documents where tenant_id = $1',
  ],
  [
    'chunks',
    'select * from documents as d where d.tenant_id = $1 and exists (select from chunks c where c.tenant_id = d.tenant_id)',
  ],
  [
    'documents',
    'with page as (select tenant_id, id from documents where tenant_id = $1) select * from documents join page on page.tenant_id = documents.tenant_id and page.id = documents.id',
  ],
  [
    'chunks',
    'select * from unnest($1::text[], $2::text[]) as asked (tenant_id, id) join chunks c on c.tenant_id = asked.tenant_id',
  ],
  [
    'chunks',
    'delete from chunks c using documents d join document_datasets s on s.tenant_id = d.tenant_id where c.tenant_id = d.tenant_id and d.tenant_id = any(array[$1, $2]::text[])',
  ],
  [
    'documents',
    'insert into documents (tenant_id, id) select t, t from unnest($1::text[]) as t on conflict do nothing',
  ],
  ['chunks', 'insert into chunks (tenant_id, id) values ($1, $2), (lower($3), $4)'],
  ['chunks', 'insert into chunks (tenant_id, id) select lower($1), id from documents where tenant_id = $1'],
  [
    'chunks',
    'insert into chunks (tenant_id, id) select t.tenant_id, t.id from unnest($1::text[]) as t (tenant_id, id)',
  ],
  [
    'chunks',
    'insert into chunks (tenant_id, id) select tenant_id, id from documents, f() where documents.tenant_id = $1',
  ],
  [
    'chunks',
    'insert into chunks (id, tenant_id) select d.*, d.tenant_id from documents d where d.tenant_id = $1',
  ],
  ['chunks', 'insert into chunks (tenant_id, id) select $1, 1 union all select lower($2), 2'],
];

/** Of a shard and of the coordinator. */
const onTwoNodes = [
  'select * from documents d join processing_jobs j on j.tenant_id = d.tenant_id and j.document_id = d.id where d.tenant_id = $1',
  'with moved as (update documents set status = $1 where tenant_id = $2 returning id) insert into search_index (error) select id from moved',
  'insert into search_outbox (tenant_id, chunk_id) select tenant_id, id from chunks where tenant_id = $1',
  'merge into search_index using (select 1 from documents where tenant_id = $1) as d on true when matched then delete',
  'select * from audit_events_2026_01 e where e.tenant_id = $1 and exists (select from api_keys where tenant_id = $1)',
];

const unreadable = [
  'select * from documents as d (tenant_id, id) where tenant_id = $1',
  'select * from (documents d join chunks c using (tenant_id)) as j where j.tenant_id = $1',
  "select * from documents d, json_table(d.data, '$' columns (tenant_id text)) as t where d.tenant_id = t.tenant_id",
  'select 1 \0 from documents',
  "select 'from",
  'select (1',
  'select 1)',
  'select /* 1',
  'select $$',
];

describe('statements that pass', () => {
  test.each(passes)('%s', (sql) => {
    expect(findUnscopedTable(sql)).toBeUndefined();
  });
});

describe('statements that are refused', () => {
  test.each(refusals)('%s: %s', (table, sql) => {
    expect(findUnscopedTable(sql)).toBe(table);
  });
});

test.each(onTwoNodes)('what two nodes of a cluster have is refused: %s', (sql) => {
  expect(() => findUnscopedTable(sql)).toThrow(/^a cluster has \S+ on shards, and \S+ on its coordinator/);
});

test.each(unreadable)('what cannot be read is refused: %s', (sql) => {
  expect(() => findUnscopedTable(sql)).toThrow();
});

test('what is nested too deeply is refused, and leaves the parser intact', () => {
  for (const nested of ['(select ', 'not (', '1 + (']) {
    const sql = `select ${nested.repeat(20_000)}1${')'.repeat(20_000)} from documents`;
    expect(() => findUnscopedTable(sql)).toThrow();
  }
  expect(findUnscopedTable('select * from documents')).toBe('documents');
});
