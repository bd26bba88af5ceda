/** Of one statement, which the query guard parses on the event loop in some 10 ms. */
const MAX_ROWS = 200;

/** Rows in parts, one for each insert. */
export function* insertBatches<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += MAX_ROWS) yield rows.slice(start, start + MAX_ROWS);
}
