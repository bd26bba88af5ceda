import type { Sql } from './database.js';

/** Rows of documents that are gone. */
const withoutDocument = (table: string, id = 'document_id') => `
  select ${id} as id from ${table} as r
  where not exists (select from documents as d where d.tenant_id = r.tenant_id and d.id = r.document_id)`;

/** What must not be in the database: each statement finds it, and reads no table of shards beside one of the coordinator. */
const WRONG: Record<string, string> = {
  'chunks without their document': withoutDocument('chunks', 'id'),
  'sources without their document': withoutDocument('document_sources'),
  'datasets without their document': withoutDocument('document_datasets'),
  'search terms without their chunk': `
    select t.chunk_id as id from chunk_terms as t
    where not exists (select from chunks as c where c.tenant_id = t.tenant_id and c.id = t.chunk_id and not c.deleted)`,
  'chunks without search terms': `
    select c.id from chunks as c
    where not c.deleted
      and not exists (select from chunk_terms as t where t.tenant_id = c.tenant_id and t.chunk_id = c.id)`,
  'texts of vectors without their chunk': `
    select t.chunk_id as id from chunk_texts as t
    where not exists (select from chunks as c where c.tenant_id = t.tenant_id and c.id = t.chunk_id)`,
  // Messages are posted as the chunks of their conversation.
  'postings of documents and conversations that are gone': `
    ${withoutDocument('posting_segment_documents')}
      and not exists (select from conversations as c where c.tenant_id = r.tenant_id and c.id = r.document_id)`,
  'search terms without their message': `
    select t.message_id as id from message_terms as t
    where t.message_id is not null
      and not exists (select from messages as m where m.tenant_id = t.tenant_id and m.id = t.message_id)`,
  'messages without search terms': `
    select m.id from messages as m
    where m.is_open is not true
      and not exists (select from message_terms as t where t.tenant_id = m.tenant_id
        and t.conversation_id = m.conversation_id and t.message_id = m.id)`,
  'drafts of chunks after the sweep': 'select document_id as id from chunk_drafts',
  'uploads after the sweep': 'select id from uploads',
  'documents whose number of chunks is wrong': `
    select d.id from documents as d
    where d.chunk_count <> (select count(*) from chunks as c
      where c.tenant_id = d.tenant_id and c.document_id = d.id and not c.deleted)`,
  'documents whose list of datasets is wrong': `
    select d.id from documents as d
    where d.dataset_ids <> array(select s.dataset_id::text from document_datasets as s
      where s.tenant_id = d.tenant_id and s.document_id = d.id order by s.dataset_id)`,
  'documents under the same name': `
    select min(id) as id from documents group by tenant_id, document_name having count(*) > 1`,
  'conversations of one request': `
    select min(id) as id from conversations where topic like '%-conversation-%'
    group by tenant_id, topic having count(*) > 1`,
  'messages without a number of their own': `
    select min(m.id) as id from messages as m
    group by m.tenant_id, m.conversation_id, m.sequence having count(*) > 1 or m.sequence is null`,
  'conversations whose messages have greater numbers': `
    select c.id from conversations as c
    where c.message_sequence < (select max(sequence) from messages as m
      where m.tenant_id = c.tenant_id and m.conversation_id = c.id)`,
  'places of chunks that are taken twice': `
    select min(id) as id from chunks group by tenant_id, document_id, ordinal having count(*) > 1`,
  'usage that differs from what there is': `
    select tenant_id as id from (
      select tenant_id, documents, chunks, bytes from tenant_usage
      union all select tenant_id, documents, chunks, bytes from tenant_usage_changes
      union all select tenant_id, -1, 0, 0 from documents
      union all select tenant_id, 0, -1, 0 from chunks
      union all select tenant_id, 0, 0, -size_bytes from document_sources) as parts
    group by tenant_id having sum(documents) <> 0 or sum(chunks) <> 0 or sum(bytes) <> 0`,
};

const SHOWN = 3;

/** Looks for what a crash may leave half done. Gives what is wrong, a line for each kind. */
export async function checkIntegrity(sql: Sql): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, statement] of Object.entries(WRONG)) {
    const rows = await sql.select<{ id: string }>(statement);
    if (rows.length === 0) continue;
    const ids = rows.slice(0, SHOWN).map(({ id }) => id);
    faults.push(`${what}: ${rows.length}, such as ${ids.join(', ')}`);
  }
  return faults;
}
