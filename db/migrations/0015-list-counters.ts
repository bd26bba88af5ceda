import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * Exact totals and positions of large lists without counting them. Writes append what they change; counters of the
 * filters that were asked for are kept from that in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  // Tenants append changes; only lists and the rollup, which run as the owner, use counters.
  await protectTables(db, {
    list_changes: 'select, insert',
    list_counters: 'select',
    list_counter_ranges: 'select',
  });
  await createFold(db);
  await addDatasetsToDocuments(db);
  await createTriggers(db);
  await replaceIndexes(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What writes have added to a list or taken from it, and no counter has yet. One row for each kind of entry that a
    -- statement changed.
    create table list_changes (
      tenant_id      identifier not null,
      id             bigint generated always as identity,
      list           text collate "C" not null,  -- conversations or documents
      tenant_unit_id identifier not null,
      status         text collate "C",
      agent_id       identifier,
      assignment_id  identifier,
      document_type  text collate "C",
      dataset_ids    text[] collate "C",
      from_time      timestamptz not null,       -- the earliest creation of these entries
      to_time        timestamptz not null,       -- the latest
      count          bigint not null,
      primary key (tenant_id, id)
    ) with (
      -- Its rows come and go all the time. Truncating it would lock writers out.
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = off
    );

    -- A filter of a list that matches many entries and was asked for. Null: not filtered by.
    create table list_counters (
      tenant_id           identifier not null,     -- empty: of all tenants
      id                  bigint generated always as identity,
      list                text collate "C" not null,
      filter              text collate "C" not null,  -- a hash of the columns below
      tenant_unit_ids     text[] collate "C",
      statuses            text[] collate "C",
      agent_id            identifier,
      assignment_id       identifier,
      document_types      text[] collate "C",
      dataset_ids         text[] collate "C",      -- any of these
      reached_dataset_ids text[] collate "C",      -- and any of these, by the API key
      is_built            boolean not null default false,
      asked_time          timestamptz not null default now(),
      primary key (tenant_id, id),
      unique (tenant_id, list, filter)
    );

    -- The entries of a filter by time of creation, from one range to the next: together the total, one by one the way
    -- to a page far from both ends.
    create table list_counter_ranges (
      tenant_id   identifier not null,
      counter_id  bigint not null,
      from_time   timestamptz not null,
      count       bigint not null,
      split_count bigint not null default 0,  -- when it was last found to have one time only
      primary key (tenant_id, counter_id, from_time),
      foreign key (tenant_id, counter_id) references list_counters (tenant_id, id) on delete cascade
    ) with (fillfactor = 50);

    create function is_counted_by(counter list_counters, change list_changes) returns boolean
    language sql immutable parallel safe return
      counter.list = change.list
      and (counter.tenant_unit_ids is null or change.tenant_unit_id = any (counter.tenant_unit_ids))
      and (counter.statuses is null or change.status = any (counter.statuses))
      and (counter.agent_id is null or change.agent_id = counter.agent_id)
      and (counter.assignment_id is null or change.assignment_id = counter.assignment_id)
      and (counter.document_types is null or change.document_type = any (counter.document_types))
      and (counter.dataset_ids is null or change.dataset_ids && counter.dataset_ids)
      and (counter.reached_dataset_ids is null or change.dataset_ids && counter.reached_dataset_ids);
  `.execute(db);
}

/**
 * Moves a batch of changes into the counters, in the transaction of the caller, who holds the rollup's lock. A change
 * that spans several ranges merges them, since nothing says how much of it belongs to each.
 */
async function createFold(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function fold_list_changes(most integer) returns integer language plpgsql as $$
    declare
      batch list_changes[];
      merged list_counter_ranges[];
    begin
      with moved as (
        delete from list_changes as c
        using (select tenant_id, id from list_changes order by tenant_id, id limit most) as oldest
        where c.tenant_id = oldest.tenant_id and c.id = oldest.id
        returning c.*)
      select array_agg(moved::list_changes) into batch from moved;
      if batch is null then
        return 0;
      end if;

      with outdated as (
        delete from list_counter_ranges as r
        using list_counters as c, unnest(batch) as change
        where change.from_time < change.to_time
          and c.tenant_id in (change.tenant_id, '') and c.is_built and is_counted_by(c, change)
          and r.tenant_id = c.tenant_id and r.counter_id = c.id
          and r.from_time > change.from_time and r.from_time <= change.to_time
        returning r.*)
      select array_agg(outdated::list_counter_ranges) into merged from outdated;

      update list_counter_ranges as r set count = r.count + part.count
      from (
        select tenant_id, counter_id, from_time, sum(count) as count
        from (
          select c.tenant_id, c.id as counter_id, change.count, (
            select max(from_time) from list_counter_ranges as r
            where r.tenant_id = c.tenant_id and r.counter_id = c.id and r.from_time <= change.from_time) as from_time
          from (
            select tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, document_type, dataset_ids,
              from_time, sum(count) as count
            from unnest(batch) group by 1, 2, 3, 4, 5, 6, 7, 8, 9
          ) as change
          join list_counters as c on c.tenant_id in (change.tenant_id, '') and c.is_built
            and is_counted_by(c, row(change.tenant_id, 0, change.list, change.tenant_unit_id, change.status,
              change.agent_id, change.assignment_id, change.document_type, change.dataset_ids, change.from_time,
              change.from_time, 0)::list_changes)
          union all
          select old.tenant_id, old.counter_id, old.count, (
            select max(from_time) from list_counter_ranges as r
            where r.tenant_id = old.tenant_id and r.counter_id = old.counter_id and r.from_time < old.from_time)
          from unnest(merged) as old
        ) as added
        group by 1, 2, 3 having sum(count) <> 0
      ) as part
      where r.tenant_id = part.tenant_id and r.counter_id = part.counter_id and r.from_time = part.from_time;
      return cardinality(batch);
    end $$;
    revoke execute on function fold_list_changes(integer) from public;
  `.execute(db);
}

/** A document's row holds its datasets and each dataset's row the document's time, so that lists need no join. */
async function addDatasetsToDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table documents add column dataset_ids text[] collate "C" not null default '{}';
    update documents as d set dataset_ids = array(
      select dataset_id::text from document_datasets as s
      where s.tenant_id = d.tenant_id and s.document_id = d.id order by dataset_id);

    alter table document_datasets add column created_time timestamptz;
    update document_datasets as s set created_time = d.created_time
      from documents as d where d.tenant_id = s.tenant_id and d.id = s.document_id;
    alter table document_datasets alter column created_time set not null;
    drop index document_datasets_tenant_id_dataset_id_document_id_idx;
    create index on document_datasets (tenant_id, dataset_id, created_time desc, document_id desc);

    create function set_dataset_time() returns trigger language plpgsql as $$
    begin
      new.created_time := (
        select created_time from documents where tenant_id = new.tenant_id and id = new.document_id);
      return new;
    end $$;
    create trigger document_datasets_timed before insert on document_datasets
      for each row when (new.created_time is null) execute function set_dataset_time();

    create function copy_datasets() returns trigger language plpgsql as $$
    begin
      -- The lock comes first, so that the next statement sees what another one has written meanwhile.
      perform from documents as d
      where (d.tenant_id, d.id) in (select tenant_id, document_id from changed_rows)
      order by tenant_id, id for no key update;
      update documents as d set dataset_ids = found.ids
      from (
        select c.tenant_id, c.document_id, array(
          select dataset_id::text from document_datasets as s
          where s.tenant_id = c.tenant_id and s.document_id = c.document_id order by dataset_id) as ids
        from (select distinct tenant_id, document_id from changed_rows) as c offset 0
      ) as found
      where d.tenant_id = found.tenant_id and d.id = found.document_id and d.dataset_ids <> found.ids;
      return null;
    end $$;
    create trigger document_datasets_inserted after insert on document_datasets
      referencing new table as changed_rows for each statement execute function copy_datasets();
    create trigger document_datasets_deleted after delete on document_datasets
      referencing old table as changed_rows for each statement execute function copy_datasets();
  `.execute(db);
}

/** An update appends two changes, and none where it changes nothing that is filtered by. */
async function createTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_conversations() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into list_changes (tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, from_time, to_time, count)
          select tenant_id, 'conversations', tenant_unit_id, status, agent_id, assignment_id,
            min(created_time), max(created_time), count(*)
          from changed_rows group by 1, 3, 4, 5, 6;
      elsif tg_op = 'DELETE' then
        insert into list_changes (tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, from_time, to_time, count)
          select tenant_id, 'conversations', tenant_unit_id, status, agent_id, assignment_id,
            min(created_time), max(created_time), -count(*)
          from changed_rows group by 1, 3, 4, 5, 6;
      else
        insert into list_changes (tenant_id, list, tenant_unit_id, status, agent_id, assignment_id, from_time, to_time, count)
          values
            (old.tenant_id, 'conversations', old.tenant_unit_id, old.status, old.agent_id, old.assignment_id,
              old.created_time, old.created_time, -1),
            (new.tenant_id, 'conversations', new.tenant_unit_id, new.status, new.agent_id, new.assignment_id,
              new.created_time, new.created_time, 1);
      end if;
      return null;
    end $$;
    create trigger conversations_listed after insert on conversations
      referencing new table as changed_rows for each statement execute function count_conversations();
    create trigger conversations_unlisted after delete on conversations
      referencing old table as changed_rows for each statement execute function count_conversations();
    create trigger conversations_relisted after update on conversations for each row
      when ((old.tenant_id, old.tenant_unit_id, old.status, old.agent_id, old.assignment_id, old.created_time)
        is distinct from (new.tenant_id, new.tenant_unit_id, new.status, new.agent_id, new.assignment_id, new.created_time))
      execute function count_conversations();

    create function count_documents() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into list_changes (tenant_id, list, tenant_unit_id, status, document_type, dataset_ids, from_time, to_time, count)
          select tenant_id, 'documents', tenant_unit_id, status, document_type, dataset_ids,
            min(created_time), max(created_time), count(*)
          from changed_rows group by 1, 3, 4, 5, 6;
      elsif tg_op = 'DELETE' then
        insert into list_changes (tenant_id, list, tenant_unit_id, status, document_type, dataset_ids, from_time, to_time, count)
          select tenant_id, 'documents', tenant_unit_id, status, document_type, dataset_ids,
            min(created_time), max(created_time), -count(*)
          from changed_rows group by 1, 3, 4, 5, 6;
      else
        insert into list_changes (tenant_id, list, tenant_unit_id, status, document_type, dataset_ids, from_time, to_time, count)
          values
            (old.tenant_id, 'documents', old.tenant_unit_id, old.status, old.document_type, old.dataset_ids,
              old.created_time, old.created_time, -1),
            (new.tenant_id, 'documents', new.tenant_unit_id, new.status, new.document_type, new.dataset_ids,
              new.created_time, new.created_time, 1);
      end if;
      return null;
    end $$;
    create trigger documents_listed after insert on documents
      referencing new table as changed_rows for each statement execute function count_documents();
    create trigger documents_unlisted after delete on documents
      referencing old table as changed_rows for each statement execute function count_documents();
    create trigger documents_relisted after update on documents for each row
      when ((old.tenant_id, old.tenant_unit_id, old.status, old.document_type, old.dataset_ids, old.created_time)
        is distinct from (new.tenant_id, new.tenant_unit_id, new.status, new.document_type, new.dataset_ids, new.created_time))
      execute function count_documents();
  `.execute(db);
}

/** One index for each filter and the usual pairs, in the order of the lists. */
async function replaceIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Room on each page, so that a change of what no index has is no new entry in all of them.
    alter table conversations set (fillfactor = 90);
    alter table documents set (fillfactor = 90);
    create index on conversations (tenant_id, tenant_unit_id, status, created_time desc, id desc);
    create index on conversations (tenant_id, agent_id, created_time desc, id desc) include (status, tenant_unit_id);
    create index on conversations (tenant_id, assignment_id, created_time desc, id desc) include (status, tenant_unit_id)
      where assignment_id is not null;
    create index on documents (tenant_id, document_type, status, created_time desc, id desc);
    create index on documents (tenant_id, tenant_unit_id, document_type, created_time desc, id desc);
  `.execute(db);
}
