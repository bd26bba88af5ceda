import type { Meilisearch, Settings } from 'meilisearch';
import type { SettingDifference } from '../../search/meilisearch/diff-settings.js';
import type { RebuildResult } from '../../search/meilisearch/rebuild.js';
import { waitForTask } from '../../search/meilisearch/tasks.js';
import { describeDifferences } from './describe-differences.js';
import { reindexWithProgress } from './reindex-with-progress.js';
import { requireAdmin, type SearchServerSession } from './run-search-command.js';

/** What was, or on a dry run would be, done about the differences. */
interface Applied {
  index: string;
  dryRun: boolean;
  differences: SettingDifference[];
  /** Settings changed on the spot. */
  applied: string[];
  /** the index was rebuilt, with all settings. */
  rebuilt: boolean;
  reindexed: RebuildResult | null;
}

/** @returns the status to end with */
export async function applySettings(
  session: SearchServerSession,
  { mayRebuild, isDryRun }: { mayRebuild: boolean; isDryRun: boolean },
): Promise<number> {
  const admin = requireAdmin(session.server);
  const { indexUid: index } = session.server;
  const differences = await session.operations.settings();
  const needsRebuild = differences.some(({ rebuilds }) => rebuilds);
  const result: Applied = {
    index,
    dryRun: isDryRun,
    differences,
    applied: needsRebuild ? [] : differences.map(({ setting }) => setting),
    rebuilt: needsRebuild && mayRebuild,
    reindexed: null,
  };

  if (needsRebuild && !mayRebuild) {
    session.print(result, `${describeDifferences(index, differences)}Nothing was changed.\n`);
    return 1;
  }
  if (!isDryRun) {
    if (result.rebuilt) result.reindexed = await reindexWithProgress(session);
    else await change(admin, index, differences);
  }
  session.print(result, describeResult(result));
  return 0;
}

async function change(admin: Meilisearch, index: string, differences: SettingDifference[]): Promise<void> {
  if (differences.length === 0) return;
  const settings = Object.fromEntries(
    differences.map(({ setting, wanted }) => [setting, wanted]),
  ) as Settings;
  await waitForTask(admin, (await admin.index(index).updateSettings(settings)).taskUid);
}

function describeResult({ index, dryRun, differences, applied, rebuilt }: Applied): string {
  if (differences.length === 0) return describeDifferences(index, differences);
  const done = rebuilt ? `${index} rebuilt, with all settings` : `changed in ${index}: ${applied.join(', ')}`;
  return dryRun ? `Would be done: ${done}.\n` : `Done: ${done}.\n`;
}
