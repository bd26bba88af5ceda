import type { SearchStatus } from '../../search/operations/search-operations.js';
import { countOf, formatCount, formatFields, JSON_OPTION } from '../shared/format.js';
import { reindexWithProgress } from './reindex-with-progress.js';
import { requireAdmin, runSearchServerCommand, type SearchServerSession } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchServerCommand(
    args,
    `Rebuilds the search index beside the live one and swaps them. Searches continue meanwhile.

Usage: lectern search reindex [--dry-run] [--json]

Needs MEILI_ADMIN_KEY. You can stop it with Ctrl-C or kill it; the next run continues from there.

${formatFields([['--dry-run', 'shows what would be done, without doing it'], JSON_OPTION])}
Exits with 0 if the new index is in place, and with 1 if it is not.`,
    { options: { 'dry-run': { type: 'boolean' } } },
    ({ values }) =>
      async (session) => {
        requireAdmin(session.server);
        if (values['dry-run']) return tellWhatWouldBeDone(session);
        const result = await reindexWithProgress(session);
        const { copied, replayed, resumed } = result;
        session.print(
          result,
          `${session.server.indexUid} is rebuilt: ${countOf(copied, 'chunk')} copied${resumed ? ' by this run, which went on with an earlier one' : ''}, ${countOf(replayed, 'change')} repeated that came meanwhile.\n`,
        );
        return 0;
      },
  );

async function tellWhatWouldBeDone({ operations, server, print }: SearchServerSession): Promise<number> {
  const status = await operations.status();
  if (status.server?.error) throw new Error(status.server.error);
  const rebuild = status.index?.rebuild ?? null;
  print({ dryRun: true, index: server.indexUid, chunks: status.chunks, rebuild }, describePlan(status));
  return 0;
}

function describePlan({ index, chunks }: SearchStatus): string {
  const target = `puts it in the place of ${index?.uid}`;
  if (!index?.rebuild) {
    return `Copies ${countOf(chunks, 'chunk')} into a new index, compares it with the database, and ${target}.\n`;
  }
  const { uid, copied } = index.rebuild;
  return `Goes on with ${uid}: ${formatCount(copied)} of ${countOf(chunks, 'chunk')} are copied. Then compares it with the database, and ${target}.\n`;
}
