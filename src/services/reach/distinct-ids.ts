import { type RawBuilder, sql } from 'kysely';

/** Selects the lowest id for which a condition holds, which an index answers: `(id) => sql'select …'`. */
export type LowestId = (
  condition: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
) => RawBuilder<unknown>;

/**
 * Selects the distinct ids that begin with a prefix and are behind another, in their order. Each is one look-up in an index for each of
 * `lookups`, however many rows have it.
 *
 * @param keep a condition on `found.id`, which is tried for each
 */
export function selectDistinctIds(
  lookups: readonly LowestId[],
  {
    prefix,
    after,
    limit,
    keep = sql`true`,
  }: {
    prefix: string;
    after?: string | undefined;
    limit: number;
    keep?: RawBuilder<unknown> | undefined;
  },
): RawBuilder<{ id: string }> {
  const lowest = (condition: Parameters<LowestId>[0]) =>
    sql`least(${sql.join(lookups.map((lookup) => sql`(${lookup(condition)} limit 1)`))})::text collate "C"`;
  const isFirst = (column: RawBuilder<unknown>) =>
    after === undefined ? sql`${column} >= ${prefix}` : sql`${column} >= ${prefix} and ${column} > ${after}`;
  return sql<{ id: string }>`
    with recursive found (id) as (
      select ${lowest(isFirst)}
      union all
      select ${lowest((column) => sql`${column} > found.id`)} from found where starts_with(found.id, ${prefix}))
    select id from found where starts_with(id, ${prefix}) and ${keep} limit ${limit}`;
}
