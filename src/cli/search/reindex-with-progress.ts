import { type RebuildResult, rebuildIndex } from '../../search/meilisearch/rebuild.js';
import { createProgress } from '../shared/progress.js';
import { onInterrupt } from './on-interrupt.js';
import type { SearchServerSession } from './run-search-command.js';

const LABELS = { copying: 'Copying', repeating: 'Repeating', comparing: 'Comparing', swapping: 'Swapping' };
const UNITS = { copying: 'chunk', repeating: 'change', comparing: undefined, swapping: undefined };

/** Builds the index anew, and shows on the error output how far it is. */
export async function reindexWithProgress({ db, server }: SearchServerSession): Promise<RebuildResult> {
  const progress = createProgress({ out: process.stderr });
  const signal = onInterrupt();
  try {
    return await rebuildIndex({
      db,
      server,
      signal,
      onProgress: ({ phase, ...far }) =>
        progress.update({ label: LABELS[phase], unit: UNITS[phase], ...far }),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error('Stopped. The next run goes on from here, and searches go on with the live index.');
  } finally {
    progress.end();
  }
}
