import pg from 'pg';
import { migrations } from './migrations/index.js';

/* The table `kysely_migration`: which migrations a database has, and which version of Lectern applied each. */

/** The names of all migrations of this version, in their order. */
export const migrationNames = (): string[] => Object.keys(migrations);

/** A database that a newer version has migrated: this one does not know what is in it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/**
 * The names of the migrations that the database lacks, in their order.
 *
 * @throws NewerDatabaseError where it has migrations that this version does not know
 */
export async function findPending(session: pg.Client): Promise<string[]> {
  const { rows: tables } = await session.query(
    `select to_regclass('kysely_migration') is not null as exists`,
  );
  if (!tables[0]?.exists) return Object.keys(migrations);
  // Read this way, the column may be missing: earlier builds did not record their version.
  const { rows } = await session.query<{ name: string; version: string | null }>(
    `select name, to_jsonb(m) ->> 'version' as version from kysely_migration as m order by name`,
  );
  const newest = rows.filter(({ name }) => !(name in migrations)).at(-1);
  if (newest) throw new NewerDatabaseError(describeNewer(newest));
  const applied = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !applied.has(name));
}

function describeNewer({ name, version }: { name: string; version: string | null }): string {
  const [by, needed] = version
    ? [`${version}, migration ${name}`, `version ${version} or newer`]
    : [`migration ${name}`, 'a newer version'];
  return (
    `The database was migrated by a newer version of Lectern (${by}). ` +
    `Install ${needed}, or restore a backup that was made before that migration.`
  );
}

/** Has the migrations that follow recorded as applied by a version, in the transaction of each. */
export async function recordVersion(session: pg.Client, version: string): Promise<void> {
  await session.query(`
    create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null);
    alter table kysely_migration add column if not exists version text;
    alter table kysely_migration alter column version set default ${pg.escapeLiteral(version)}`);
}
