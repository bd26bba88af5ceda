import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Unlogged: a crash of the database fills all buckets again, which is no harm.
    create unlogged table rate_buckets (
      bucket       text collate "C" primary key,
      tokens       double precision not null,    -- when it was last taken from; below zero: a debt
      updated_time timestamptz not null,
      full_time    timestamptz not null          -- from then on the row tells nothing
    ) with (fillfactor = 50);
    create index on rate_buckets (full_time);

    -- Takes from all of these buckets, or from none if one holds less than is needed. The arrays belong together;
    -- rates are tokens a second. Answers what each holds then, in the same order.
    create function take_tokens(
      buckets text[], sizes float8[], rates float8[], needs float8[], amounts float8[],
      out granted boolean, out left_over float8[]
    ) language plpgsql as $$
    declare
      moment timestamptz;
      locked bigint;
    begin
      loop
        -- Always in one order, so that nobody waits in a circle.
        perform from rate_buckets where bucket = any (buckets) order by bucket for update;
        get diagnostics locked = row_count;
        exit when locked = cardinality(buckets);
        insert into rate_buckets
          select bucket, size, clock_timestamp(), clock_timestamp()
          from unnest(buckets, sizes) as wanted (bucket, size)
          order by bucket collate "C"
          on conflict do nothing;
      end loop;
      -- Only now, since the wait for the rows counts too. A clock that was put back takes nothing away.
      moment := clock_timestamp();

      select bool_and(level >= need - 1e-6), array_agg(level order by place)
      into granted, left_over
      from (
        select place, need,
          least(size, tokens + rate * greatest(0, extract(epoch from moment - updated_time)::float8)) as level
        from unnest(buckets, sizes, rates, needs) with ordinality as wanted (bucket, size, rate, need, place)
        join rate_buckets using (bucket)
      ) as filled;
      if not granted then
        return;
      end if;

      left_over := array(
        select level - amount from unnest(left_over, amounts) with ordinality as one (level, amount, place)
        order by place
      );
      update rate_buckets set
        tokens = level,
        updated_time = greatest(moment, updated_time),
        full_time = greatest(moment, updated_time) + make_interval(secs => (size - level) / rate)
      from unnest(buckets, sizes, rates, left_over) as wanted (name, size, rate, level)
      where bucket = name;
    end $$;
  `.execute(db);
}
