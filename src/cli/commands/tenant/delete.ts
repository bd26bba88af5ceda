import { countTenant, deleteTenant, type TenantContents } from '../../../services/tenants/delete-tenant.js';
import { countOf, formatFields, formatTable } from '../../format.js';
import { createProgress } from '../../progress.js';
import { UsageError } from '../../run-command.js';
import { runTenantCommand, type TenantSession } from '../../tenant/run-tenant-command.js';

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
Its API keys are revoked first; servers may be running. Ended at any point it can be run again, and goes on. It ends with
0 when it has looked for what is left and found nothing. The audit log of the tenant goes, too: keep what this prints.`,
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
        throw new UsageError(`Confirm it: --confirm ${tenantId}. To see first what there is: --dry-run.`);
      }
      return async (session) => {
        const startedTime = new Date();
        const found = await countTenant(session.db, tenantId);
        const contents = isDryRun ? found : await deleteWithProgress(session, tenantId, found);
        const times = { startedTime, finishedTime: new Date() };
        const report = { tenantId, dryRun: isDryRun, ...times, ...contents };
        process.stdout.write(
          values.json ? `${JSON.stringify(report, null, 2)}\n` : describe(tenantId, contents, isDryRun),
        );
        return 0;
      };
    },
  );

async function deleteWithProgress(
  { config, db, storage, log }: TenantSession,
  tenantId: string,
  found: TenantContents,
): Promise<TenantContents> {
  const progress = createProgress({ out: process.stderr });
  const say = (text: string) => {
    progress.end();
    process.stderr.write(`${text}\n`);
  };
  const deleted = await deleteTenant({
    ...{ db, storage, tenantId, clock: () => new Date() },
    onStep(step) {
      if (step.step === 'revoked') say(`${countOf(step.keys, 'API key')} revoked, sessions and jobs ended`);
      if (step.step === 'settling') say('waiting for what is under way…');
      if (step.step !== 'deleting') return;
      // Deleting rows makes changes of counters, which are deleted, too.
      const total = Math.max(found.rows, step.rows);
      progress.update({ label: 'deleting', done: step.rows, total, unit: 'row' });
    },
  }).finally(progress.end);
  if (config.meilisearch) {
    say('waiting for the search server…');
    const { sendDeletions } = await import('../../tenant/send-deletions.js');
    await sendDeletions({ db, meilisearch: config.meilisearch, log });
  }
  return deleted;
}

function describe(tenantId: string, { tables, rows, files }: TenantContents, isDryRun: boolean): string {
  const counted = Object.entries(tables).filter(([, count]) => count > 0);
  const lines = [...counted.map(([name, count]) => [name, String(count)]), ['files', String(files)]];
  const table = formatTable(['', isDryRun ? 'rows' : 'deleted'], lines);
  if (isDryRun)
    return `The tenant ${tenantId} has ${countOf(rows, 'row')} and ${countOf(files, 'file')}.\n\n${table}`;
  return `${table}\nNothing of the tenant ${tenantId} is left.\n`;
}
