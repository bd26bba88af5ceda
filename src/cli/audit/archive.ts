import path from 'node:path';
import { migrations } from '../../../db/migrations/index.js';
import { version } from '../../config/version.js';
import { archiveAudit, findArchivable } from '../../services/audit/archive/archive-audit.js';
import { runCommand, UsageError } from '../run-command.js';
import { countOf, formatCount, formatFields, formatTable } from '../shared/format.js';
import { print } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { withMigratedDatabase } from '../shared/with-database.js';

const HELP = `Writes whole old months of the audit log into a folder, and drops them from the database.

Usage: lectern audit archive --before <date> --to <folder> [--dry-run] [--json]

${formatFields([
  ['--before', 'months that ended by this date, such as 2026-01-01 or 2026-01; UTC'],
  ['--to', 'a folder; archives of other months may be in it'],
  ['--dry-run', 'shows what would be archived, and changes nothing'],
  ['--json', 'prints one JSON document'],
])}
Each month becomes a compressed file with a line of JSON for each event, and a manifest with counts and the SHA-256. It drops
a month only after the file is on the disk and has been read again. Servers may be running. If it is interrupted, run it again.
The history of documents no longer shows what was archived.`;

export const run = (args: string[]) =>
  runCommand(
    args,
    HELP,
    async ({ values }) => {
      const before = readDate(values.before);
      const isDryRun = values['dry-run'] ?? false;
      if (!values.to && !isDryRun) throw new UsageError('Say where to, with --to.');
      const folder = path.resolve(values.to ?? '.');
      const now = new Date();
      const report = await withMigratedDatabase({ connections: 2 }, async ({ db }) => {
        const { partitions, next } = await findArchivable(db, { before, now });
        if (isDryRun) return { before, dryRun: true, partitions, next };
        const progress = createProgress({ out: process.stderr });
        const archived = await archiveAudit({
          db,
          partitions,
          folder,
          clock: () => new Date(),
          versions: { lectern: version, migration: Object.keys(migrations).sort().at(-1) ?? '' },
          onProgress: ({ file, done, total }) => progress.update({ label: file, done, total, unit: 'event' }),
        }).finally(progress.end);
        return { before, dryRun: false, folder, partitions: archived, next };
      });
      print(values.json ? `${JSON.stringify(report, null, 2)}\n` : describe(report, now));
      process.exit(0);
    },
    {
      options: {
        before: { type: 'string' },
        to: { type: 'string' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
      },
    },
  );

function readDate(given: string | undefined): Date {
  if (given === undefined) throw new UsageError('Say before which date, with --before.');
  const date = new Date(/^\d{4}-\d{2}(-\d{2})?$/.test(given) ? given : Number.NaN);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(given)) {
    throw new UsageError('--before must be a date such as 2026-01-01.');
  }
  return date;
}

interface Report {
  before: Date;
  dryRun: boolean;
  folder?: string;
  partitions: { from: Date | null; to: Date; rows: number; file?: string; sizeBytes?: number }[];
  next: { from: Date | null; to: Date | null } | undefined;
}

const day = (time: Date): string => time.toISOString().slice(0, 10);

function describe(report: Report, now: Date): string {
  const { dryRun, folder, partitions } = report;
  if (partitions.length === 0) return `There is nothing to archive: ${explainNone(report, now)}\n`;
  const total = partitions.reduce((sum, { rows }) => sum + rows, 0);
  const table = formatTable(
    ['from', 'to', 'events', ...(dryRun ? [] : ['file'])],
    partitions.map(({ from, to, rows, file }) => [
      from ? day(from) : 'the beginning',
      day(to),
      formatCount(rows),
      ...(file ? [file] : []),
    ]),
  );
  const what = dryRun ? 'would be archived' : `are in ${folder}, and no longer in the database`;
  return `${table}${countOf(total, 'event')} ${what}.\n`;
}

function explainNone({ before, next }: Report, now: Date): string {
  if (!next?.to) return 'the only partition has not been split by a server yet.';
  const end = day(next.to);
  if (next.to > now) return `the oldest month ends on ${end}, and is not over yet.`;
  return `the oldest month ends on ${end}, which is after ${day(before)}. Say --before ${end} or later.`;
}
