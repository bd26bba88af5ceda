import {
  countTenant,
  type DeletedContents,
  deleteTenant,
  type TenantContents,
} from '../../services/tenants/delete-tenant.js';
import { UsageError } from '../run-command.js';
import { countOf, formatFields } from '../shared/format.js';
import { print, printError } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { assertFolderExists, describeMissing } from './missing-files.js';
import { runTenantCommand, type TenantSession } from './run-tenant-command.js';

export const run = (args: string[]) =>
  runTenantCommand(
    args,
    `Deletes everything of a tenant: rows of every table, files, and what the search server has. This cannot be undone.

Usage: lectern tenant delete <tenant> --confirm <tenant> [--json]
       lectern tenant delete <tenant> --dry-run [--json]

${formatFields([
  ['--confirm', 'the tenant once more'],
  ['--dry-run', 'shows what would be deleted, and changes nothing'],
  ['--json', 'prints one JSON document, to be kept as the record of the deletion'],
])}
Revokes its API keys first; servers may be running. If it is interrupted, run it again: it continues from there. Exits with
0 if a final check finds nothing left, and with 1 also if none of the files was in the storage. Deletes the audit log of the
tenant, too: keep what this prints.`,
    {
      options: {
        confirm: { type: 'string' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
      },
    },
    ({ values }, tenantId) => {
      const isDryRun = values['dry-run'] ?? false;
      if (!isDryRun && values.confirm !== tenantId) {
        throw new UsageError(`Confirm it: --confirm ${tenantId}. To see first what it deletes: --dry-run.`);
      }
      return async (session) => {
        const startedTime = new Date();
        const { storage } = session;
        const found = await countTenant(session.db, tenantId);
        assertFolderExists(storage, found.files);
        const contents = isDryRun
          ? { ...found, missingFiles: 0 }
          : await deleteWithProgress(session, tenantId, found);
        const searchIndex = isDryRun ? null : await updateSearchIndex(session);
        const about = { startedTime, finishedTime: new Date(), storage: storage.location };
        const report = { tenantId, dryRun: isDryRun, ...about, ...contents, searchIndex };
        const text = isDryRun ? describeFound(tenantId, contents) : describeDeleted(report);
        print(values.json ? `${JSON.stringify(report, null, 2)}\n` : text);
        if (contents.missingFiles > 0) say(describeMissing(contents.missingFiles, storage));
        return searchIndex === 'waiting' || lacksAllFiles(contents) ? 1 : 0;
      };
    },
  );

/**
 * Some files may be missing, as a run that was killed has deleted them before its rows; where all are, it looked into another
 * storage. The next run ends with 0, as then no row names a file.
 */
const lacksAllFiles = ({ files, missingFiles }: DeletedContents): boolean => missingFiles > 0 && files === 0;

async function deleteWithProgress(
  { db, storage }: TenantSession,
  tenantId: string,
  found: TenantContents,
): Promise<DeletedContents> {
  const progress = createProgress({ out: process.stderr });
  return deleteTenant({
    db,
    storage,
    tenantId,
    clock: () => new Date(),
    onStep(step) {
      // Deleting rows makes changes of counters, which are deleted, too.
      if (step.step === 'deleting') {
        const total = Math.max(found.rows, step.rows);
        return progress.update({ label: 'deleting', done: step.rows, total, unit: 'row' });
      }
      progress.end();
      say(
        step.step === 'revoked'
          ? `${countOf(step.keys, 'API key')} revoked; sessions and jobs ended`
          : 'Looking for what was still under way',
      );
    },
  }).finally(progress.end);
}

/** Whether the index of the search server has confirmed the deletions; null where there is none. */
type SearchIndexState = 'confirmed' | 'waiting' | null;

/** What was deleted from the database is reported, whatever the search server says. */
async function updateSearchIndex({ config, db, log }: TenantSession): Promise<SearchIndexState> {
  if (!config.meilisearch) return null;
  say('Waiting for the search server');
  const { sendDeletions } = await import('./send-deletions.js');
  try {
    await sendDeletions({ db, meilisearch: config.meilisearch, log });
    return 'confirmed';
  } catch (error) {
    say((error as Error).message);
    return 'waiting';
  }
}

const say = (text: string) => printError(`${text}\n`);

const describeFound = (tenantId: string, contents: TenantContents): string =>
  contents.rows === 0
    ? `There is no tenant ${tenantId}.\n`
    : `The tenant ${tenantId} has ${describeContents(contents)}.\n`;

function describeDeleted(
  report: TenantContents & { tenantId: string; searchIndex: SearchIndexState },
): string {
  const where = report.searchIndex === 'waiting' ? ' in the database and the file storage' : '';
  const deleted = report.rows > 0 ? `Deleted: ${describeContents(report)}.\n` : '';
  return `${deleted}Nothing of the tenant ${report.tenantId} is left${where}.\n`;
}

/** What people know of; the JSON document has every table. */
const WORDS: [table: string, one: string, many?: string][] = [
  ['conversations', 'conversation'],
  ['messages', 'message'],
  ['documents', 'document'],
  ['chunks', 'chunk'],
  ['api_keys', 'API key'],
  ['webhook_subscriptions', 'webhook'],
  ['audit_events', 'event of the audit log', 'events of the audit log'],
];

function describeContents({ tables, files, rows }: TenantContents): string {
  const counts = WORDS.flatMap(([table, one, many]) => {
    const count = tables[table] ?? 0;
    return count > 0 ? [countOf(count, one, many)] : [];
  });
  if (files > 0) counts.push(countOf(files, 'file'));
  const all = `${countOf(rows, 'row')} in all`;
  return counts.length > 0 ? `${counts.join(', ')}; ${all}` : all;
}
