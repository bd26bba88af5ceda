import { pino } from 'pino';
import { migrateToLatest } from '../../db/migrate.js';
import { startDatabase } from '../compose/start-database.js';
import { readConfig } from '../config/config.js';
import { version } from '../config/version.js';
import { runCommand } from './run-command.js';
import { print, printError } from './shared/print.js';

export const run = (args: string[]) =>
  runCommand(
    args,
    `Applies the database migrations that are missing, and exits.

Usage: lectern migrate

Uses the database of DATABASE_URL, or the embedded one in DATA_DIR.`,
    async () => {
      const config = readConfig();
      const database = await startDatabase(config, pino({ level: 'warn' }));
      try {
        const applied = await migrateToLatest(database.url, {
          version,
          onWaiting: (what) => printError(`${what}\n`),
        });
        print(`Database: ${database.description}\n`);
        for (const name of applied) print(`  applied ${name}\n`);
        print(applied.length > 0 ? 'Up to date now.\n' : 'Nothing to do: up to date.\n');
      } finally {
        await database.stop();
      }
    },
  );
