import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { quantileMs } from '../../metrics/histogram.js';
import type { Rate, RateRequest } from './overview.schema.js';

/** Length and number of the steps that a period is shown in. */
export const PERIODS = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 900, steps: 96 },
} as const;

interface Row extends Omit<Rate, 'time' | 'p50Ms' | 'p95Ms'> {
  step: number;
  latencies: number[] | null;
}

/** What the processes of the server have counted for a tenant, by steps that end with the current one. */
export async function readRates(
  db: Database,
  { scope, period }: Omit<RateRequest, 'scope'> & { scope: { tenantId: string } },
  now: Date,
): Promise<Rate[]> {
  const { stepSeconds, steps } = PERIODS[period];
  const { tenantId } = scope;
  const first = Math.floor(now.getTime() / 1000 / stepSeconds) - steps + 1;
  const since = new Date(first * stepSeconds * 1000);
  const { rows } = await sql<Row>`
    with counted as materialized (
      select (extract(epoch from minute) / ${sql.lit(stepSeconds)})::numeric as place, activity_minutes.*
      from activity_minutes where tenant_id = ${tenantId} and minute >= ${since}
    ), latencies as (
      select step, array_agg(total order by bucket) as latencies
      from (
        select floor(place)::bigint as step, bucket, sum(answered)::bigint as total
        from counted, unnest(search_latencies) with ordinality as one (answered, bucket)
        group by 1, 2) as buckets
      group by step
    ), sums as (
      select floor(place)::bigint as step, sum(documents_ready)::bigint as ready, sum(documents_failed)::bigint as failed,
        sum(chunks)::bigint as chunks, sum(searches)::bigint as searches, sum(searches_failed)::bigint as searches_failed
      from counted group by 1
    )
    select sums.*, latencies from sums left join latencies using (step)
  `.execute(db);
  const byStep = new Map(rows.map((row) => [row.step, row]));
  return Array.from({ length: steps }, (_, i) =>
    toRate(byStep.get(first + i), new Date((first + i) * stepSeconds * 1000)),
  );
}

function toRate(row: Row | undefined, time: Date): Rate {
  const { ready = 0, failed = 0, chunks = 0, searches = 0, searchesFailed = 0 } = row ?? {};
  const latencies = row?.latencies?.map(Number) ?? [];
  return {
    time,
    ready,
    failed,
    chunks,
    searches,
    searchesFailed,
    p50Ms: quantileMs(latencies, 0.5),
    p95Ms: quantileMs(latencies, 0.95),
  };
}
