import { type Kysely, sql } from 'kysely';

/** Above this, servers look for rows beyond a month's end in the background, so that the migration is quick. */
const LARGE_BYTES = 64 * 1024 * 1024;
const MONTHS_AHEAD = 3;

/**
 * The audit log is partitioned by month, so that old months leave as whole tables. The partition `audit_events_open` has
 * everything from its month on, so that no insert can fail; at first it is the former table. Splitting it makes months.
 *
 * Partitions have keys and indexes of their own, and the parent none: a key of the parent would need the time, and the
 * former table an index with it. Ids come from one sequence, so that they are unique across partitions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await renameFormerTable(db);
  await createParent(db);
  await createFunctions(db);
  await sql`
    do $$ begin
      if pg_relation_size('audit_events_open') < ${sql.lit(LARGE_BYTES)} then
        for month in 1..${sql.lit(MONTHS_AHEAD)} loop
          perform split_audit_events(
            (date_trunc('month', now() at time zone 'UTC') + make_interval(months => month)) at time zone 'UTC');
        end loop;
      end if;
    end $$;
  `.execute(db);
}

async function renameFormerTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% only grows', tg_argv[0];
    end $$;

    create sequence audit_events_id;
    select setval('audit_events_id', last_value, is_called) from audit_events_id_seq;
    drop trigger audit_events_kept on audit_events;
    drop trigger audit_events_stay on audit_events;
    alter table audit_events alter column id drop identity;
    alter table audit_events alter column id set default nextval('audit_events_id');
    alter table audit_events rename to audit_events_open;
    do $$
    declare
      index_name text;
    begin
      for index_name in
        select indexrelid::regclass::text from pg_index where indrelid = 'audit_events_open'::regclass
      loop
        execute format('alter index %I rename to %I', index_name, replace(index_name, 'audit_events', 'audit_events_open'));
      end loop;
    end $$;
  `.execute(db);
}

/** With what others may do, which is taken from the former table: partitions are reached through their parent. */
async function createParent(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_events (like audit_events_open including defaults including storage including comments)
      partition by range (time);
    do $$
    declare
      granted record;
    begin
      for granted in
        select case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as role, privilege_type
        from pg_class cross join lateral aclexplode(relacl)
        where oid = 'audit_events_open'::regclass and grantee <> relowner
      loop
        execute format('grant %s on audit_events to %s', granted.privilege_type, granted.role);
        execute format('revoke %s on audit_events_open from %s', granted.privilege_type, granted.role);
        if granted.privilege_type = 'INSERT' then
          execute format('grant usage on sequence audit_events_id to %s', granted.role);
        end if;
      end loop;
      alter table audit_events enable row level security;
      create policy by_grants on audit_events using (true) with check (true);
      execute format(
        'create policy one_tenant on audit_events as restrictive to %I
         using (tenant_id = current_setting(''lectern.tenant_id'', true))
         with check (tenant_id = current_setting(''lectern.tenant_id'', true))', tenant_role());
    end $$;
    create trigger audit_events_stay before update or truncate on audit_events_open
      for each statement execute function refuse_change('audit_events');
    create trigger audit_events_stay before update or truncate on audit_events
      for each statement execute function refuse_change('audit_events');
    -- Partitions get this one from their parent.
    create trigger audit_events_kept before delete on audit_events for each row
      when (old.tenant_id is distinct from current_setting('lectern.deleted_tenant', true))
      execute function refuse_change('audit_events');
    alter table audit_events attach partition audit_events_open for values from (minvalue) to (maxvalue);
  `.execute(db);
}

async function createFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The bounds of a partition, as they are written in SQL.
    create function audit_partition_bounds(partition_name text, out from_bound text, out to_bound text)
    language sql stable as $$
      select bounds[1], bounds[2] from pg_class, regexp_match(pg_get_expr(relpartbound, oid), 'FROM [(](.*)[)] TO [(](.*)[)]') as bounds
      where oid = to_regclass(partition_name)
    $$;

    create function add_audit_partition(partition_name text, similar_to text, from_bound text, to_bound text)
    returns void language plpgsql as $$
    begin
      execute format('create table %I (like %I including defaults including storage including indexes including comments)',
        partition_name, similar_to);
      execute format('alter table %I enable row level security', partition_name);
      execute format('create policy by_grants on %I using (true) with check (true)', partition_name);
      execute format(
        'create policy one_tenant on %I as restrictive to %I
         using (tenant_id = current_setting(''lectern.tenant_id'', true))
         with check (tenant_id = current_setting(''lectern.tenant_id'', true))', partition_name, tenant_role());
      execute format(
        'create trigger audit_events_stay before update or truncate on %I
         for each statement execute function refuse_change(''audit_events'')', partition_name);
      execute format('alter table audit_events attach partition %I for values from (%s) to (%s)',
        partition_name, from_bound, to_bound);
    end $$;

    -- Makes a partition of what the open one has before a month, and opens another one from there. Reads all of it, but
    -- where a validated constraint audit_events_split says that nothing is beyond.
    create function split_audit_events(month timestamptz) returns void language plpgsql as $$
    declare
      from_bound text;
      split_name text;
      index_name text;
    begin
      if month <> date_trunc('month', month, 'UTC') then
        raise exception '% is not the start of a month', month;
      end if;
      lock table audit_events in access exclusive mode;
      from_bound := (audit_partition_bounds('audit_events_open')).from_bound;
      if from_bound = 'MINVALUE' then
        split_name := 'audit_events_until_' || to_char(month at time zone 'UTC', 'YYYY_MM');
      elsif trim('''' from from_bound)::timestamptz >= month then
        return;  -- another process was first
      else
        split_name := 'audit_events_' || to_char(trim('''' from from_bound)::timestamptz at time zone 'UTC', 'YYYY_MM');
      end if;

      alter table audit_events detach partition audit_events_open;
      execute format('alter table audit_events_open rename to %I', split_name);
      for index_name in select indexrelid::regclass::text from pg_index where indrelid = split_name::regclass loop
        execute format('alter index %I rename to %I', index_name, replace(index_name, 'audit_events_open', split_name));
      end loop;
      execute format('alter table audit_events attach partition %I for values from (%s) to (%L)', split_name, from_bound, month);
      execute format('alter table %I drop constraint if exists audit_events_split', split_name);
      perform add_audit_partition('audit_events_open', split_name, format('%L', month), 'MAXVALUE');
    end $$;

    -- Drops the oldest partition. An empty one takes its place, so that a clock that goes wrong fails no insert.
    create function drop_audit_partition(partition_name text) returns void language plpgsql as $$
    declare
      bounds record;
      is_used boolean;
    begin
      lock table audit_events in access exclusive mode;
      bounds := audit_partition_bounds(partition_name);
      if bounds.to_bound = 'MAXVALUE' then
        raise exception '% is in use', partition_name;
      end if;
      if bounds.from_bound <> 'MINVALUE' then
        if (audit_partition_bounds('audit_events_before')).to_bound is distinct from bounds.from_bound then
          raise exception '% is not the oldest partition', partition_name;
        end if;
        select exists (select from audit_events_before) into is_used;
        if is_used then
          raise exception 'audit_events_before has rows';
        end if;
        drop table audit_events_before;
      end if;
      execute format('drop table %I', partition_name);
      perform add_audit_partition('audit_events_before', 'audit_events_open', 'MINVALUE', bounds.to_bound);
    end $$;

    revoke execute on function add_audit_partition(text, text, text, text), split_audit_events(timestamptz),
      drop_audit_partition(text) from public;
  `.execute(db);
}
