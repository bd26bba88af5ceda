import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { analyzeChunk } from '../../../src/search/indexing/chunk-terms.js';

export const TENANT = 'bench';
export const UNIT = 'unit';
const ROWS = 5_000;
const MESSAGES = 5;
const TEXT = 'Goods can be returned within 30 days of delivery, if they are unused and complete. '.repeat(12);

export const conversationId = (n: number) => `conversation-${1 + (n % ROWS)}`;
export const documentId = (n: number) => `document-${1 + (n % ROWS)}`;
export const chunkId = (n: number) => `chunk-${1 + (n % ROWS)}`;

/**
 * Makes 5,000 conversations with five messages each, and 5,000 documents of a thousand characters with two datasets and
 * one chunk each. A webhook subscribes to conversations, and nothing is sent to it.
 */
export async function fillTenant(db: Database): Promise<void> {
  const numbers = sql`generate_series(1, ${sql.lit(ROWS)}) as n`;
  const { terms, length, analyzer } = analyzeChunk({ content: TEXT, contentComplement: '', keywords: {} });
  const statements = [
    sql`
      insert into conversations (id, tenant_id, tenant_unit_id, topic, agent_id, user_id, agent_mode, inputs, status,
        assignment_id, created_by, updated_by, created_time, updated_time)
      select 'conversation-' || n, ${TENANT}, ${UNIT}, 'Refund for order ' || n, gen_random_uuid()::text, 'user-' || n % 100,
        'chat', json_build_object('order', n, 'channel', 'web', 'tags', json_build_array('refund', 'late')),
        'running', 'assignment-' || n % 50, 'user-' || n % 100, 'user-' || n % 100,
        now() - n * interval '1 minute', now() - n * interval '1 minute'
      from ${numbers}`,
    sql`
      insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from,
        content, requested_time)
      select format('message-%s-%s', n, m), ${TENANT}, ${UNIT}, 'conversation-' || n, 'agent', 'user', 'run', 'user',
        'Where is my order?', now()
      from ${numbers}, generate_series(1, ${sql.lit(MESSAGES)}) as m`,
    sql`
      insert into documents (id, tenant_id, tenant_unit_id, external_id, document_type, document_sub_type, document_name,
        title, category, custom_properties, source, status, processing_progress, chunk_count, dataset_ids, created_by,
        updated_by, created_time, updated_time)
      select 'document-' || n, ${TENANT}, ${UNIT}, 'external-' || n, 'UnstructuredFile', 'txt', 'Terms ' || n || '.txt',
        'Terms of delivery ' || n, 'terms', json_build_object('region', 'emea', 'year', 2026), 'content', 'ready', 100, 1,
        array['faq', 'terms'], 'user-1', 'user-1', now() - n * interval '1 minute', now() - n * interval '1 minute'
      from ${numbers}`,
    sql`
      insert into document_sources (tenant_id, tenant_unit_id, document_id, content)
      select ${TENANT}, ${UNIT}, 'document-' || n, ${TEXT}::text from ${numbers}`,
    sql`
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
      select tenant_id, tenant_unit_id, id, dataset, created_time from documents, unnest(dataset_ids) as dataset`,
    sql`
      insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
      select tenant_id, tenant_unit_id, dataset, name_end, id
      from documents, unnest(dataset_ids) as dataset,
        lateral (select * from name_ends(document_name) union select * from name_ends(title)) as ends (name_end)`,
    sql`
      insert into document_properties (tenant_id, entry, document_id)
      select tenant_id, entry, id from documents, property_entries(custom_properties, document_name, url) as entry`,
    sql`
      insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content, content_complement,
        keywords, metadata, created_time, updated_time)
      select 'chunk-' || n, ${TENANT}, ${UNIT}, 'document-' || n, 0, 'hash', ${TEXT}, '', '{}', '{}', now(), now()
      from ${numbers}`,
    sql`
      insert into chunk_terms (chunk_id, tenant_id, terms, length, analyzer)
      select 'chunk-' || n, ${TENANT}, ${terms}, ${sql.lit(length)}, ${sql.lit(analyzer)} from ${numbers}`,
    sql`
      insert into webhook_subscriptions (id, tenant_id, url, event_types, secret, created_time, updated_time, held_until)
      values ('subscription', ${TENANT}, 'https://webhooks.invalid/', ${['conversation.created']}, 'whsec_', now(),
        now(), 'infinity')`,
    sql`vacuum analyze`,
  ];
  for (const statement of statements) await statement.execute(db);
}
