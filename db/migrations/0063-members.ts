import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Users who have signed in by a token, with the roles that they are given here; and who they are in the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table members (
      tenant_id       identifier not null,
      id              identifier not null,
      issuer          text not null,
      subject         text not null,
      user_id         text not null,          -- as in the audit log
      name            text,
      email           text,
      role            text,                   -- null: only what the claims of its tokens permit
      tenant_unit_ids text[],                 -- null: all
      dataset_ids     text[],                 -- null: all
      created_time    timestamptz not null,
      last_seen_time  timestamptz not null,   -- to the hour
      updated_time    timestamptz,            -- of the role
      updated_by      text,
      primary key (tenant_id, id),
      unique (tenant_id, issuer, subject)
    )
  `.execute(db);
  await protectTables(db, { members: 'select, insert, update, delete' });
  await sql`alter table audit_events add column user_issuer text, add column user_name text`.execute(db);
  await replaceFunction(db);
}

/** As in 0060, with the new columns, and what events tell of the member whom a user was. */
async function replaceFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function erase_from_audit(
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
         before, after, parent_id, user_issuer, user_name)
      select id, tenant_id, tenant_unit_id, time, action, subject_type, subject_id, key_id,
        case when user_id = erased_user then pseudonym else user_id end,
        case when user_id = erased_user then null else address end,
        request_id,
        erase_from_json(case
          when removes_topics then before - 'topic'
          when subject_type = 'member' and before ->> 'userId' = erased_user then before - 'subject' - 'name'
          else before end, erased_user, pseudonym),
        erase_from_json(case
          when removes_topics then after - 'topic'
          when subject_type = 'member' and after ->> 'userId' = erased_user then after - 'subject' - 'name'
          else after end, erased_user, pseudonym),
        parent_id, user_issuer,
        case when user_id = erased_user then null else user_name end
      from json_populate_recordset(null::audit_events, events);
      insert into audit_events (tenant_id, action, subject_type, subject_id, after)
      values (tenant, 'users.erase', 'user', pseudonym, jsonb_build_object('auditEvents', json_array_length(events)));
    end $$
  `.execute(db);
  await sql`
    do $$ begin
      execute format('alter function erase_from_audit(text, text, text, bigint[], boolean) set search_path = %I, pg_temp',
        current_schema());
    end $$
  `.execute(db);
}
