import { createRepair, type Verification, verifyIndex } from '../../search/meilisearch/verify.js';
import { countOf, formatFields, JSON_OPTION } from '../shared/format.js';
import { createProgress } from '../shared/progress.js';
import { runSearchServerCommand } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchServerCommand(
    args,
    `Compares every chunk that a search may return with the search index.

Usage: lectern search verify [--repair] [--dry-run] [--json]

Changes that have not reached the index yet do not count as differences. --repair queues the chunks that differ; a running
server indexes them within seconds.

${formatFields([
  ['--repair', 'queues the chunks that differ'],
  ['--dry-run', 'with --repair, says what would be queued and queues nothing'],
  JSON_OPTION,
])}
Exits with 0 if nothing differs or --repair has queued all differences, and with 1 if something differs.`,
    { options: { repair: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } },
    ({ values }) =>
      async ({ db, server, print }) => {
        const mayRepair = (values.repair ?? false) && !values['dry-run'];
        const progress = createProgress({ out: process.stderr });
        const found = await verifyIndex({
          db,
          server,
          repair: mayRepair ? createRepair(db) : undefined,
          onProgress: (far) => progress.update({ label: 'Comparing', ...far }),
        }).finally(progress.end);
        print(found, describe(found, { wouldRepair: (values.repair ?? false) && !mayRepair }));
        return countDifferences(found) === found.repaired ? 0 : 1;
      },
  );

function countDifferences({ missing, outdated, surplus }: Verification): number {
  return missing.count + outdated.count + surplus.count;
}

function describe(found: Verification, { wouldRepair }: { wouldRepair: boolean }): string {
  const { chunks, documents, waiting, setAside, repaired } = found;
  const differences = countDifferences(found);
  const named = (['missing', 'outdated', 'surplus'] as const)
    .filter((kind) => found[kind].count > 0)
    .map((kind): [string, string] => {
      const { count, ids } = found[kind];
      return [kind, [`${countOf(count, 'chunk')}:`, ...ids, ...(count > ids.length ? ['…'] : [])].join('\n')];
    });
  const advice = wouldRepair
    ? `Would be queued: ${countOf(differences, 'chunk')}.\n`
    : repaired > 0
      ? `Queued: ${countOf(repaired, 'chunk')}; a running server brings them into the index.\n`
      : 'Repair with: lectern search verify --repair\n';
  return [
    `${countOf(chunks, 'chunk')}, ${countOf(documents, 'document')} in the index: ${differences === 0 ? 'nothing differs' : `${countOf(differences, 'difference')}`}.\n`,
    waiting > 0 ? `${countOf(waiting, 'change')} on the way.\n` : '',
    setAside > 0 ? `${countOf(setAside, 'chunk')} quarantined: lectern search status shows why.\n` : '',
    differences > 0 ? `\n${formatFields(named)}\n${advice}` : '',
  ].join('');
}
