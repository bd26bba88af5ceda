import { sql } from 'kysely';
import { type Finding, ofDatabase, ok, problem, warning } from '../check.js';

const LEAST_VERSION = 150_000;

export const checkServer = ofDatabase('database', async ({ db }) => {
  const { rows } = await sql<{
    version: string;
    number: number;
    isStandby: boolean;
    isReadOnly: boolean;
    encoding: string;
  }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer as number,
      pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::boolean as is_read_only,
      current_setting('server_encoding') as encoding
  `.execute(db);
  const { version, number, isStandby, isReadOnly, encoding } = rows[0] as (typeof rows)[0];
  const findings: Finding[] = [];
  if (number < LEAST_VERSION) {
    findings.push(problem(`PostgreSQL ${version} is older than 15.`, 'Upgrade it to 15 or newer.'));
  }
  if (isStandby) {
    findings.push(
      problem('DATABASE_URL leads to a standby, which can only be read.', 'Set it to the primary.'),
    );
  } else if (isReadOnly) {
    findings.push(
      problem(
        'The database can only be read (default_transaction_read_only).',
        'Switch that off for the database and its user.',
      ),
    );
  }
  if (encoding !== 'UTF8') {
    findings.push(
      problem(
        `The database has the encoding ${encoding}, which cannot hold all texts.`,
        'Make another one: createdb --encoding=UTF8 --template=template0.',
      ),
    );
  }
  return findings.length > 0 ? findings : ok(`PostgreSQL ${version} answers, encoding ${encoding}.`);
});

/** What is lost in a crash of the machine, by setting. */
const DURABILITY = [
  ['fsync', 'the whole database'],
  ['full_page_writes', 'the whole database'],
  ['synchronous_commit', 'the changes of the last moments'],
] as const;

export const checkSettings = ofDatabase('database settings', async ({ db }) => {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum')
  `.execute(db);
  const isOff = (name: string) => rows.some((row) => row.name === name && row.setting === 'off');
  const findings = DURABILITY.filter(([name]) => isOff(name)).map(([name, lost]) =>
    warning(
      `${name} is off: a crash of the machine may lose ${lost}.`,
      `Set ${name} = on in postgresql.conf.`,
    ),
  );
  if (isOff('autovacuum')) {
    findings.push(
      warning(
        'autovacuum is off: queries become slow, and tables grow.',
        'Set autovacuum = on in postgresql.conf.',
      ),
    );
  }
  return findings.length > 0 ? findings : ok('Nothing that is acknowledged is lost in a crash.');
});
