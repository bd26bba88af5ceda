import { type Kysely, sql } from 'kysely';

/*
 * The wall inside PostgreSQL: `inTenant` does its work under a role that sees and writes the rows of the tenant in
 * lectern.tenant_id alone, and none where that is not set. All other roles, such as the agent runtime's, are bound by
 * their grants as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const name = await nameRole(db);
  await createRole(db, name);
  await protectTables(db, name);
  await createQueueFunctions(db, name);
  await sql`
    -- The counts of messages stay in the index, also with the tenant's condition.
    drop index messages_conversation_id_requested_time_id_idx;
    create index on messages (conversation_id, requested_time, id) include (tenant_id, tenant_unit_id);
  `.execute(db);
}

/**
 * Roles belong to the whole server, and whoever may take one has it in every database: so each database has its own.
 * The name is the same at the next start, when an administrator has made the role. It is kept in a function, because
 * copies of the database keep its grants.
 */
async function nameRole(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select 'lectern_tenant_' || left(md5(format('%s %s', oid, datname)), 16) as name
    from pg_database where datname = current_database()
  `.execute(db);
  const [{ name }] = rows as [{ name: string }];
  await sql`
    create function tenant_role() returns text language sql immutable parallel safe as ${sql.lit(`select '${name}'`)};

    -- In PL/pgSQL, whose sessions keep the plan: this is as quick as two statements with a literal.
    create procedure become_tenant(tenant text) language plpgsql as $$
    begin
      perform set_config('role', tenant_role(), true), set_config('lectern.tenant_id', tenant, true);
    end $$;
  `.execute(db);
  return name;
}

async function createRole(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`
    do $$
    declare
      name text := ${sql.lit(name)};
      is_there boolean := exists (select from pg_roles where rolname = name);
    begin
      if not is_there then
        execute format('create role %I nologin', name);
      end if;
      if exists (select from pg_roles where rolname = name and (rolsuper or rolbypassrls)) then
        raise exception 'The role % may bypass row-level security. Have an administrator run this, then start again: alter role % nosuperuser nobypassrls;',
          name, name;
      end if;
      begin
        -- Tried on this server alone: the other nodes of a cluster give up the transaction if it fails there.
        perform set_config('citus.propagate_set_commands', 'none', true);
        execute format('set local role %I', name);
        reset role;
      exception
        when insufficient_privilege then execute format('grant %I to %I', name, current_user);
      end;
    exception
      when insufficient_privilege then
        raise exception 'The database user % may not create or grant the role %. Have an administrator run this, then start again: %grant % to %;',
          current_user, name, case when is_there then '' else format('create role %s nologin; ', name) end,
          name, quote_ident(current_user);
    end $$
  `.execute(db);
}

/** A permissive policy lets every role be as its grants say; the restrictive one narrows this role alone. */
async function protectTables(db: Kysely<unknown>, name: string): Promise<void> {
  const role = sql.id(name);
  await sql`
    do $$
    declare
      protected text;
    begin
      execute format('grant usage on schema %I to ${role}', current_schema());
      foreach protected in array array[
        'api_keys', 'audit_events', 'chunk_drafts', 'chunk_terms', 'chunks', 'conversation_status_changes',
        'conversations', 'corpus_statistics', 'document_datasets', 'document_sources', 'documents',
        'idempotency_keys', 'messages', 'tenant_usage', 'webhook_deliveries', 'webhook_subscriptions']
      loop
        execute format('alter table %I enable row level security', protected);
        execute format('create policy by_grants on %I using (true) with check (true)', protected);
        execute format(
          'create policy one_tenant on %I as restrictive to ${role}
           using (tenant_id = current_setting(''lectern.tenant_id'', true))
           with check (tenant_id = current_setting(''lectern.tenant_id'', true))', protected);
      end loop;
    end $$;

    grant select on messages, search_index to ${role};
    grant select, insert on audit_events, conversation_status_changes to ${role};
    grant select, insert, update on api_keys, corpus_statistics, idempotency_keys, search_outbox, tenant_usage,
      webhook_deliveries to ${role};
    grant select, update, delete on chunk_drafts to ${role};
    grant select, insert, update, delete on chunks, chunk_terms, conversations, documents, document_datasets,
      document_sources, webhook_subscriptions to ${role};
    -- Files on their way belong to whoever knows their ids.
    grant select, delete on uploads to ${role};
    grant usage on sequence search_outbox_revision to ${role};
  `.execute(db);
}

/**
 * The queue's tables are closed to that role, so it enqueues through functions that run as their owner. They are in
 * PL/pgSQL, which looks for the queue only when they are called: it is made after these migrations. The numbers come
 * from `job-order.ts`, which tells of the order too.
 */
async function createQueueFunctions(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`
    -- Where the line is now. A job that is tried again keeps its old place, often before the front, and so does not
    -- tell. Without a job that waits for its first turn, the others count, also those that are being worked on: what
    -- is new must not overtake them, should they fail. Volatile: after waiting for the line to be moved it looks anew.
    create function front_of_jobs(first_place integer) returns integer language plpgsql volatile as $$
    begin
      return coalesce(
        (select priority from graphile_worker._private_jobs
         where is_available and attempts = 0 and run_at <= now() order by priority, run_at limit 1),
        (select max(priority) from graphile_worker._private_jobs),
        first_place);
    end $$;

    -- Whoever works for one tenant enqueues for no other.
    create function assert_jobs_of(tenant text) returns void language plpgsql stable as $$
    begin
      if current_setting('role') = tenant_role()
        and tenant is distinct from current_setting('lectern.tenant_id', true) then
        raise insufficient_privilege using message = 'These jobs are not those of the transaction''s tenant.';
      end if;
    end $$;

    create function enqueue_documents(
      task text, tenant text, flag text, document_ids text[], keys text[], tries integer,
      first_place integer, depth integer, last_place integer)
    returns void language plpgsql security definer as $$
    declare
      front integer := front_of_jobs(first_place);
      added integer := cardinality(document_ids);
      ahead integer;
    begin
      perform assert_jobs_of(tenant);
      -- How many documents the tenant has waiting, without those that are on their way into the queue.
      select greatest(0, count(*) - added) into ahead from (
        select from documents
        where tenant_id = tenant and status in ('created', 'processing') and source <> 'none'
        limit depth + added) as waiting;
      perform graphile_worker.add_jobs(array(
        select row(
          task, json_build_object('tenantId', tenant, 'documentId', document_id), null, null, tries, given.key,
          coalesce(waiting.priority,
            least(front + ahead + place - 1, front + depth, last_place)::smallint),
          array[flag]
        )::graphile_worker.job_spec
        from unnest(document_ids, keys) with ordinality as given (document_id, key, place)
        left join graphile_worker._private_jobs as waiting on waiting.key = given.key and waiting.is_available));
    end $$;

    create function drop_document_job(tenant text, job_key text)
    returns void language plpgsql security definer as $$
    begin
      perform assert_jobs_of(tenant);
      perform graphile_worker.remove_job(jobs.key) from graphile_worker._private_jobs as jobs
      where jobs.key = job_key and jobs.payload->>'tenantId' = tenant;
    end $$;

    do $$
    declare
      changed text;
    begin
      foreach changed in array array[
        'enqueue_documents(text, text, text, text[], text[], integer, integer, integer, integer)',
        'drop_document_job(text, text)']
      loop
        execute format('alter function %s set search_path = %I, pg_temp', changed, current_schema());
        execute format('revoke execute on function %s from public', changed);
        execute format('grant execute on function %s to ${sql.id(name)}', changed);
      end loop;
    end $$;
  `.execute(db);
}
