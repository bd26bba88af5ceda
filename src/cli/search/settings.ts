import { UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { applySettings } from './apply-settings.js';
import { describeDifferences, describeKept } from './describe-differences.js';
import { runSearchServerCommand } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchServerCommand(
    args,
    `Compares the settings of the search index with those it should have, or applies them.

Usage: lectern search settings [diff] [--json]
       lectern search settings apply [--rebuild] [--dry-run] [--json]

Needs MEILI_ADMIN_KEY to apply. Some settings make the search server index every document again. These are changed only
with --rebuild, which builds a new index beside the live one, as lectern search reindex does. Synonyms, stop words,
separators, the dictionary, facets, the cutoff, and word sizes and exceptions of typo tolerance are yours: they are kept.

${formatFields([
  ['--rebuild', 'rebuilds the index if a setting requires it'],
  ['--dry-run', 'shows what would be done, without doing it'],
  JSON_OPTION,
])}
Exits with 0 if nothing differs (any more), and with 1 if something does.`,
    {
      allowPositionals: true,
      options: { rebuild: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    },
    ({ values, positionals }) => {
      const [action = 'diff', ...more] = positionals;
      const { rebuild: mayRebuild = false, 'dry-run': isDryRun = false } = values;
      if (more.length > 0 || (action !== 'diff' && action !== 'apply')) {
        throw new UsageError(`Say diff or apply, not "${positionals.join(' ')}".`);
      }
      if (action === 'apply') return (session) => applySettings(session, { mayRebuild, isDryRun });
      if (mayRebuild || isDryRun) {
        throw new UsageError('--rebuild and --dry-run go with apply: diff changes nothing.');
      }
      return async ({ operations, server: { indexUid: index }, print }) => {
        const differences = await operations.settings();
        const kept = await operations.operatorSettings();
        const text = `${describeDifferences(index, differences)}${describeKept(kept)}`;
        print({ index, differences, kept }, text);
        return differences.length === 0 ? 0 : 1;
      };
    },
  );
