import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Rules by which conversations are deleted, legal holds that forbid it, and erasures of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table retention_rules (
      tenant_id     identifier not null,
      id            identifier not null,
      agent_id      text,                     -- null: of all agents
      statuses      text[],                   -- null: any
      exempt_labels text[] not null,
      keep_days     integer not null,
      created_time  timestamptz not null,
      created_by    text,
      updated_time  timestamptz not null,
      updated_by    text,
      primary key (tenant_id, id)
    )
  `.execute(db);
  await sql`
    create table user_erasures (
      tenant_id     identifier not null,
      id            identifier not null,
      hash_secret   text not null,
      user_hash     text not null,            -- of the user id, with that secret
      user_id       text,                     -- null once it is done, and until a restored one has found it
      place         text not null,            -- what comes next
      last_key      text[],                   -- of the rows that are done there; null: none
      erased        jsonb not null default '{}',
      held          integer not null default 0,
      file_key      text,                     -- of the record in the storage; null: not written yet
      created_time  timestamptz not null,
      created_by    text,
      finished_time timestamptz,
      primary key (tenant_id, id)
    )
  `.execute(db);
  await sql`
    create index user_erasures_unfinished on user_erasures (tenant_id, id) where finished_time is null
  `.execute(db);
  await sql`create index user_erasures_held on user_erasures (tenant_id, id) where held > 0`.execute(db);
  await sql`
    alter table conversations add column legal_hold_time timestamptz, add column legal_hold_by text
  `.execute(db);
  // Of a message that is deleted while its conversation stays: its key in `message_terms`.
  await sql`alter table message_changes add column gone_key uuid`.execute(db);
  await protectTables(db, {
    retention_rules: 'select, insert, update, delete',
    user_erasures: 'select, insert, update',
  });
  await createFunction(db);
}

/**
 * The only way to change audit events. Nobody has the right to update them, so they are replaced: their ids and times stay.
 * The role of requests may not call it.
 */
async function createFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Replaces the id of a user in the given events by a pseudonym, or removes topics from them, and records that it has.
    create function erase_from_audit(
      tenant text, erased_user text, pseudonym text, event_ids bigint[], removes_topics boolean)
    returns void language plpgsql security definer as $$
    declare
      events json;
    begin
      if pseudonym !~ '^erased:[0-9a-f]{16}$' then
        raise exception '% is no pseudonym', pseudonym;
      end if;
      select json_agg(a) into events from audit_events as a where a.tenant_id = tenant and a.id = any(event_ids);
      if events is null then
        return;
      end if;
      delete from audit_events as a where a.tenant_id = tenant and a.id = any(event_ids);
      insert into audit_events
        (id, tenant_id, tenant_unit_id, time, action, subject_type, subject_id, key_id, user_id, address, request_id,
         before, after, parent_id)
      select id, tenant_id, tenant_unit_id, time, action, subject_type, subject_id, key_id,
        case when user_id = erased_user then pseudonym else user_id end,
        case when user_id = erased_user then null else address end,
        request_id,
        erase_from_json(case when removes_topics then before - 'topic' else before end, erased_user, pseudonym),
        erase_from_json(case when removes_topics then after - 'topic' else after end, erased_user, pseudonym),
        parent_id
      from json_populate_recordset(null::audit_events, events);
      insert into audit_events (tenant_id, action, subject_type, subject_id, after)
      values (tenant, 'users.erase', 'user', pseudonym, jsonb_build_object('auditEvents', json_array_length(events)));
    end $$
  `.execute(db);
  await sql`
    -- Nothing else in audit events names users.
    create function erase_from_json(value jsonb, erased_user text, pseudonym text) returns jsonb language sql immutable as $$
      select coalesce(jsonb_object_agg(e.key,
        case when e.key in ('assignmentId', 'userId', 'createdBy', 'updatedBy') and e.value = to_jsonb(erased_user)
          then to_jsonb(pseudonym) else e.value end), erase_from_json.value)
      from jsonb_each(erase_from_json.value) as e
    $$
  `.execute(db);
  await sql`
    do $$ begin
      execute format('alter function erase_from_audit(text, text, text, bigint[], boolean) set search_path = %I, pg_temp',
        current_schema());
    end $$
  `.execute(db);
  await sql`
    revoke execute on function erase_from_audit(text, text, text, bigint[], boolean) from public
  `.execute(db);
}
