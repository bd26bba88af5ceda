import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The migrations of a release that does not exist. The second goes on once there is a row in `migration_gate`. */
const MIGRATIONS: Record<string, string[]> = {
  '9001-labels': [
    'alter table documents add column label text',
    'alter table conversations add column label text',
    'create table document_labels (tenant_id identifier not null, label text not null, primary key (tenant_id, label))',
    'create index messages_by_run on messages (tenant_id, run_id)',
    'create table migration_gate (opened int)',
  ],
  '9002-label-documents': [
    `update documents set label = 'unlabelled'`,
    'do $wait$ begin while not exists (select from migration_gate) loop perform pg_sleep(0.02); end loop; end $wait$',
    'alter table conversations alter column topic type varchar',
  ],
};
/** Where a cluster has the tables. */
const LAYOUT = `
  layout.document_labels = { placement: 'shard', why: '' };
  layout.migration_gate = { placement: 'local', why: '' };\n`;
export const NEXT_MIGRATIONS = Object.keys(MIGRATIONS);
export const NEXT_VERSION = '0.2.0';

/** The program as a next release would be, as it is before it is bundled: with a higher version, and further migrations. */
export function makeNextRelease() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-next-'));
  const folder = path.join(home, 'dist/db/migrations');
  fs.cpSync('dist', path.join(home, 'dist'), { recursive: true });
  fs.symlinkSync(path.resolve('node_modules'), path.join(home, 'node_modules'));
  fs.writeFileSync(
    path.join(home, 'package.json'),
    JSON.stringify({ name: 'lectern', version: NEXT_VERSION, type: 'module' }),
  );
  const kysely = `import { sql } from 'kysely';\n`;
  for (const [name, statements] of Object.entries(MIGRATIONS)) {
    const up = `export async function up(db) {
      for (const statement of ${JSON.stringify(statements)}) await sql.raw(statement).execute(db);
    }\n`;
    fs.writeFileSync(path.join(folder, `${name}.js`), kysely + up);
    const add = `import * as next${name.slice(0, 4)} from './${name}.js';\nmigrations['${name}'] = next${name.slice(0, 4)};\n`;
    fs.appendFileSync(path.join(folder, 'index.js'), `\n${add}`);
  }
  fs.appendFileSync(path.join(home, 'dist/db/cluster/layout.js'), LAYOUT);
  return {
    program: path.join(home, 'dist/src/cli/lectern.js'),
    remove: () => fs.rmSync(home, { recursive: true, force: true }),
  };
}
