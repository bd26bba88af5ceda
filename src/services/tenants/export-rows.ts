import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { TenantTable } from './tenant-tables.js';

/** Rows at a time: the content of a document is up to some megabytes. */
const FETCH_SIZE = 20;

/** What lets somebody in, signs in somebody's name, or answers in another's place; other columns by their names. */
const SECRET_COLUMNS: Partial<Record<string, string[]>> = { idempotency_keys: ['fingerprint', 'result'] };

/** The columns that are not exported. */
export const secretColumns = ({ name, columns }: Pick<TenantTable, 'name' | 'columns'>): string[] =>
  columns.filter((column) => SECRET_NAME.test(column) || SECRET_COLUMNS[name]?.includes(column));

const SECRET_NAME = /secret(?:_hash)?$/;

/** The tenant's rows of a table as lines of JSON, by primary key. `tx` is a transaction. */
export async function* readRowsAsJson(
  tx: Queryable,
  { name, columns, key }: TenantTable,
  tenantId: string,
): AsyncGenerator<{ line: string }> {
  const secret = new Set(secretColumns({ name, columns }));
  const exported = columns.filter((column) => !secret.has(column)).map((column) => sql.ref(column));
  const order = key.length > 0 ? sql`order by ${sql.join(key.map((column) => sql.ref(column)))}` : sql``;
  await sql`
    declare tenant_rows no scroll cursor for
    select row_to_json(exported)::text as line
    from (select ${sql.join(exported)} from ${sql.table(name)} where tenant_id = ${tenantId} ${order}) as exported
  `.execute(tx);
  try {
    for (;;) {
      const { rows } = await sql<{ line: string }>`fetch ${sql.lit(FETCH_SIZE)} from tenant_rows`.execute(tx);
      yield* rows;
      if (rows.length < FETCH_SIZE) return;
    }
  } finally {
    // After an error of a statement the transaction is over, and the cursor with it.
    await sql`close tenant_rows`.execute(tx).catch(() => {});
  }
}

/** The names of the tenant's files in the storage, in tables that have such. */
export async function* readFileKeys(
  tx: Queryable,
  { name, fileColumn }: { name: string; fileColumn: string },
  tenantId: string,
): AsyncGenerator<string> {
  const column = sql.ref(fileColumn);
  for (let last = ''; ; ) {
    const { rows } = await sql<{ fileKey: string }>`
      select distinct ${column} as file_key from ${sql.table(name)}
      where tenant_id = ${tenantId} and ${column} > ${last} order by 1 limit 1000
    `.execute(tx);
    yield* rows.map(({ fileKey }) => fileKey);
    const next = rows.at(-1)?.fileKey;
    if (next === undefined) return;
    last = next;
  }
}
