import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function take_tokens;

    -- Takes from all of these buckets, or from none if one holds less than is needed, after giving back what an earlier
    -- lease has left over. Beside the amounts it leases up to so many extra tokens, at most an eighth of what is left. The
    -- arrays belong together; rates are tokens a second. Returns what each bucket holds then, in the same order.
    create function lease_tokens(
      buckets text[], sizes float8[], rates float8[], returns float8[], needs float8[], amounts float8[],
      extras float8[], out granted boolean, out left_over float8[], out leased float8[]
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
        select place, need, least(size, returned
          + least(size, tokens + rate * greatest(0, extract(epoch from moment - updated_time)::float8))) as level
        from unnest(buckets, sizes, rates, returns, needs)
          with ordinality as wanted (bucket, size, rate, returned, need, place)
        join rate_buckets using (bucket)
      ) as filled;

      select array_agg(case when granted then level - amount - extra else level end order by place),
        array_agg(case when granted then extra else 0 end order by place)
      into left_over, leased
      from (
        select place, level, amount, greatest(0, least(extra, floor((level - amount) / 8))) as extra
        from unnest(left_over, amounts, extras) with ordinality as wanted (level, amount, extra, place)
      ) as taken;

      update rate_buckets set
        tokens = level,
        updated_time = greatest(moment, updated_time),
        full_time = greatest(moment, updated_time) + make_interval(secs => (size - level) / rate)
      from unnest(buckets, sizes, rates, returns, left_over) as wanted (name, size, rate, returned, level)
      where bucket = name and (granted or returned > 0);
    end $$;
  `.execute(db);
}
