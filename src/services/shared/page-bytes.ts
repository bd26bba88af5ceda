import { type RawBuilder, sql } from 'kysely';
import { invalid } from '../../errors/errors.js';

/** Above the limit of the API; rows of the agent runtime may be larger. */
const MAX_OBJECT_BYTES = 1024 * 1024;
/** Fits a default page of maximum-size objects. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/**
 * Measures the size of a page's rows before they are read, so that large pages do not block the event loop.
 * Join it laterally, on the rows of the page only.
 *
 * @param object the free-form column, such as `c.inputs`
 * @param texts the long text columns
 */
export const measureRowBytes =
  (object: string, texts: string[] = []) =>
  () =>
    // Without the offset PostgreSQL would measure again wherever the result is used.
    sql<{ objectBytes: number; textBytes: number }>`(
      select ${bytesOf(object)} as object_bytes, ${sql.join([sql`0`, ...texts.map(lengthOf)], sql` + `)} as text_bytes
      offset 0
    )`.as('measure');

/** Uncompressed size of a column, close to its JSON size: `bytesOf('documents.customProperties')`. */
export function bytesOf(column: string): RawBuilder<number> {
  const ref = sql.ref(column);
  return sql`case
    when pg_column_compression(${ref}) is null then coalesce(pg_column_size(${ref}), 0)
    else octet_length(${ref}::text)
  end`;
}

const lengthOf = (column: string) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`;

const IS_SHOWN = sql`measure.object_bytes <= ${sql.lit(MAX_OBJECT_BYTES)}`;
const PAGE_BYTES = sql`sum(measure.text_bytes + case when ${IS_SHOWN} then measure.object_bytes else 0 end) over ()`;
const FITS = sql`(${PAGE_BYTES} <= ${sql.lit(MAX_PAGE_BYTES)} or count(*) over () = 1)`;

/** Size of the page, in each row. */
export const pageBytes = sql<number>`(${PAGE_BYTES})::int8`.as('pageBytes');

/** The free-form column: null where it is too large, or the page is. */
export const objectWithinLimit = (column: string) =>
  sql<Record<string, unknown> | null>`case when ${IS_SHOWN} and ${FITS} then ${sql.ref(column)} end`;

/** A long text column: null where the page is too large. */
export const textWithinLimit = <T extends string | null>(column: string) =>
  sql<T>`case when ${FITS} then ${sql.ref(column)} end`;

/**
 * @param field the input field that sets the page size
 * @throws DomainError `invalid` if a page of several records exceeds the response limit
 */
export function assertPageBytes(rows: { pageBytes: number }[], field = 'pageSize'): void {
  if (rows.length <= 1 || (rows[0]?.pageBytes ?? 0) <= MAX_PAGE_BYTES) return;
  throw invalid(
    'The records of this page are too large for one answer; ask for fewer.',
    [field],
    'value_error.too_big',
  );
}
