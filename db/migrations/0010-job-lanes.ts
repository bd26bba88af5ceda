import { type Kysely, sql } from 'kysely';

/**
 * Jobs carry whether their source is small, so that small ones have room of their own, whatever large ones are under
 * way. The size of what comes from the web or from a bucket is not known beforehand.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A job that was interrupted is older than its attempts say, and does not tell where the line is either.
    create or replace function front_of_jobs(first_place integer) returns integer language plpgsql volatile as $$
    begin
      return coalesce(
        (select priority from graphile_worker._private_jobs
         where is_available and attempts = 0 and run_at <= now()
           and payload->>'deaths' is null and payload->>'outages' is null
         order by priority, run_at limit 1),
        (select max(priority) from graphile_worker._private_jobs),
        first_place);
    end $$;

    -- As before, with the flags of job-flags.ts.
    create or replace function enqueue_documents(
      task text, tenant text, flag text, document_ids text[], keys text[], tries integer,
      first_place integer, depth integer, last_place integer)
    returns void language plpgsql security definer as $$
    declare
      small_bytes constant bigint := 256 * 1024;
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
          task, json_build_object('tenantId', tenant, 'documentId', given.document_id), null, null, tries, given.key,
          coalesce(waiting.priority,
            least(front + ahead + place - 1, front + depth, last_place)::smallint),
          case when source.size_bytes <= small_bytes then array['small:' || flag]
            else array['large', 'large:' || flag] end
        )::graphile_worker.job_spec
        from unnest(document_ids, keys) with ordinality as given (document_id, key, place)
        left join graphile_worker._private_jobs as waiting on waiting.key = given.key and waiting.is_available
        left join document_sources as source
          on source.tenant_id = tenant and source.document_id = given.document_id));
    end $$;

    do $$
    begin
      -- The body of this function is new, and has lost this.
      execute format(
        'alter function enqueue_documents(text, text, text, text[], text[], integer, integer, integer, integer)
         set search_path = %I, pg_temp', current_schema());
      -- Where jobs wait already, nobody knows their sizes any more.
      if to_regclass('graphile_worker._private_jobs') is not null then
        update graphile_worker._private_jobs
        set flags = (select jsonb_object_agg('large:' || flag, true) from jsonb_object_keys(flags) as flag)
          || '{"large": true}'
        where exists (select from jsonb_object_keys(flags) as flag where flag like 'tenant:%');
      end if;
    end $$;
  `.execute(db);
}
