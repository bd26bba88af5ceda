import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { migrateToLatest } from '../../db/migrate.js';
import { readTables } from './catalog.js';

/* A dump is plain SQL, which needs no program but PostgreSQL: what the migrations of its release executed, and its rows. */

/** Between statements. */
const END = '\n;\n-- \n';
/** Of the role that a database has for its tenants. */
const ROLE = /lectern_tenant_[0-9a-f]{16}/g;

/** @param rowsOf a database of this release */
export async function writeDump(file: string, schema: string[], rowsOf: pg.Pool): Promise<void> {
  writeFileSync(file, gzipSync([...schema, ...(await writeRows(rowsOf))].join(END), { level: 9 }));
}

/** Migrates an empty database. @returns the statements that changed it */
export async function recordMigrations(url: string, version: string): Promise<string[]> {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: any[]): any {
    const [text, values] = args;
    if (!IS_READ.test(text)) statements.push(withValues(text, Array.isArray(values) ? values : []));
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await migrateToLatest(url, { version });
    return statements;
  } finally {
    pg.Client.prototype.query = query;
  }
}

const IS_READ = /^\s*(select|with|begin|commit|rollback|start transaction)\b/i;

const withValues = (text: string, values: unknown[]): string =>
  text.replace(/\$(\d+)\b/g, (placeholder, number) => {
    const value = values[Number(number) - 1];
    return value === undefined ? placeholder : pg.escapeLiteral(String(value));
  });

async function writeRows(database: pg.Pool): Promise<string[]> {
  const tables = (await readTables(database)).filter(({ name }) => !name.startsWith('kysely_migration'));
  const statements = tables.map(({ name }) => `alter table ${name} disable trigger user`);
  // Some migrations add rows, but none to partitions, whose triggers refuse this.
  const whole = tables.filter(({ isPartitioned }) => !isPartitioned);
  statements.push(`truncate ${whole.map(({ name }) => name).join(', ')}`);
  for (const { name, columns } of tables) {
    const { rows } = await database.query(`select json_agg(t)::text as rows from ${name} as t`);
    if (!rows[0]?.rows) continue;
    const names = columns.join(', ');
    statements.push(
      `insert into ${name} (${names}) overriding system value\n` +
        `select ${names} from json_populate_recordset(null::${name}, ${pg.escapeLiteral(rows[0].rows)})`,
    );
  }
  statements.push(...tables.map(({ name }) => `alter table ${name} enable trigger user`));
  const { rows: sequences } = await database.query(
    `select format('select setval(%L, %s)', sequencename, last_value) as statement from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  return [...statements, ...sequences.map(({ statement }) => statement)];
}

/** @param role the name that the role of tenants gets */
export async function restoreDump(file: string, into: pg.Pool, role: string): Promise<void> {
  const client = await into.connect();
  try {
    for (const statement of gunzipSync(readFileSync(file)).toString().replace(ROLE, role).split(END)) {
      await client.query(statement);
    }
  } finally {
    client.release();
  }
}
