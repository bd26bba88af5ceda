import { sql } from 'kysely';
import { migrationNames } from '../../../../db/migration-record.js';
import { RESTORE_MARKER } from '../../../../db/restore-marker.js';
import { countOf } from '../../shared/format.js';
import { ofDatabase, ok, problem, warning } from '../check.js';

export const checkMigrations = ofDatabase('migrations', async ({ db, migrations }) => {
  const { rows: markers } = await sql<{ found: boolean }>`
    select to_regclass(${RESTORE_MARKER}) is not null as found
  `.execute(db);
  if (markers[0]?.found) {
    return problem(
      'A restore into this database runs, or was interrupted: no server starts.',
      'Wait for it, or run it again: lectern restore FOLDER',
    );
  }
  const known = migrationNames();
  if (migrations.length === 0) {
    return ok(`The database is empty: the first start applies ${countOf(known.length, 'migration')}.`);
  }
  const newer = migrations.filter((name) => !known.includes(name));
  if (newer.length > 0) {
    return problem(
      `The database is that of a newer version (${newer.join(', ')}).`,
      'Run that version, or restore a backup of before the upgrade.',
    );
  }
  const missing = known.filter((name) => !migrations.includes(name));
  if (missing.length > 0) {
    return warning(
      `Migrations of this version are missing: ${missing.join(', ')}.`,
      'Make a backup, then run lectern migrate or start the server.',
    );
  }
  return ok(`All ${countOf(known.length, 'migration')} are applied.`);
});
