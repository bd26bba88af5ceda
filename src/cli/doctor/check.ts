import type { Database } from '../../../db/schema.js';
import type { Config } from '../../config/config.js';

/** What a check has found. */
export interface Finding {
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  /** A sentence. */
  message: string;
  /** What to do, as sentences; only of warnings and problems. */
  advice?: string;
}

/** What checks look at. Nothing of it is changed, but for a file that is stored and removed. */
export interface Examined {
  config: Config;
  /** Undefined where it cannot be reached, or is not there yet; a check says why. */
  database: ExaminedDatabase | undefined;
  /** Whether everything is compared that can be, however long it takes. */
  isDeep: boolean;
}

export interface ExaminedDatabase {
  url: string;
  /** Without the query guard. */
  db: Database;
  /** The migrations that are applied, in their order. */
  migrations: string[];
  /** Whether these are those of this version. */
  isCurrent: boolean;
}

export interface Check {
  name: string;
  run(examined: Examined): Promise<Finding | Finding[]>;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const skipped = (message: string): Finding => ({ status: 'skipped', message });
export const warning = (message: string, advice: string): Finding => ({ status: 'warning', message, advice });
export const problem = (message: string, advice: string): Finding => ({ status: 'problem', message, advice });

/** Of a text for operators, whose last sentence says what to do. */
export function splitAdvice(text: string, otherwise: string): [message: string, advice: string] {
  const end = text.lastIndexOf('. ');
  if (end < 0) return [text.endsWith('.') ? text : `${text}.`, otherwise];
  const advice = text.slice(end + 2);
  return [text.slice(0, end + 1), advice.endsWith('.') ? advice : `${advice}.`];
}

/** A check that needs a database. */
export const ofDatabase = (
  name: string,
  run: (database: ExaminedDatabase, examined: Examined) => Promise<Finding | Finding[]>,
): Check => ({
  name,
  run: async (examined) =>
    examined.database ? run(examined.database, examined) : skipped('There is no database to look at.'),
});

/** A check that needs the tables of Lectern. */
export const ofTables = (name: string, run: Parameters<typeof ofDatabase>[1]): Check =>
  ofDatabase(name, async (database, examined) =>
    database.isCurrent
      ? run(database, examined)
      : skipped('The database does not have the tables of this version.'),
  );
