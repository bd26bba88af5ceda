import { readFile } from 'node:fs/promises';
import type { Database } from '../../../db/schema.js';
import type { TenantUnitRef } from '../../services/shared/tenant-scope.js';
import { createWriteTransaction } from '../../services/shared/write-transaction.js';
import { createSynonymLists } from '../../services/synonyms/synonyms.js';
import {
  importModes,
  MAX_RULES,
  synonymsImport,
  unitOfSynonyms,
} from '../../services/synonyms/synonyms.schema.js';
import { OPERATOR } from '../keys/run-keys-command.js';
import { UsageError } from '../run-command.js';
import { countOf, formatFields, formatTable, JSON_OPTION } from '../shared/format.js';
import { runSearchCommand } from './run-search-command.js';

const actions = ['list', 'export', 'import'] as const;

export const run = (args: string[]) =>
  runSearchCommand(
    args,
    `Lists, exports or imports the synonyms of a tenant's unit.

Usage: lectern search synonyms [list|export] --tenant T --unit U [--json]
       lectern search synonyms import FILE --tenant T --unit U [--dataset D …] [--mode add|replace] [--json]

The format is that of Solr and Lucene: "a, b, c" for words that find each other, "a, b => c" for one direction.
Lines that begin with # are comments. "# datasets: [...]" says which datasets the rules below are for.

${formatFields([
  ['--tenant', 'the tenant whose searches use them'],
  ['--unit', 'its unit'],
  ['--dataset', 'of imported rules for which the file names none; may be given several times; default all'],
  ['--mode', 'replace removes the rules that the file does not have; default add'],
  JSON_OPTION,
])}
Imports all lines or none. Exits with 0, with 1 if the file cannot be read or has mistakes, and with 2 (usage error).`,
    {
      allowPositionals: true,
      options: {
        tenant: { type: 'string' },
        unit: { type: 'string' },
        dataset: { type: 'string', multiple: true },
        mode: { type: 'string' },
      },
    },
    ({ values, positionals }) => {
      const [action = 'list', file, ...more] = positionals;
      if (!actions.some((one) => one === action) || more.length > 0)
        throw new UsageError(`Say ${actions.join(', ')}, not "${positionals.join(' ')}".`);
      if ((action === 'import') !== (file !== undefined))
        throw new UsageError('Name one file to import, and none otherwise.');
      const mode = importModes.find((one) => one === (values.mode ?? 'add'));
      if (!mode) throw new UsageError(`--mode must be ${importModes.join(' or ')}.`);
      const scope = readScope(values);
      return async ({ db, print }) => {
        if (file !== undefined) {
          const text = await readFile(file, 'utf8');
          const input = synonymsImport.safeParse({ scope, text, mode, datasetIds: values.dataset });
          if (!input.success) throw new UsageError('The file is empty or too large, or a dataset is no id.');
          const imported = await listsOf(db).import(input.data, OPERATOR);
          const { added, removed, unchanged } = imported;
          print(imported, `${countOf(added, 'rule')} added, ${removed} removed, ${unchanged} unchanged.\n`);
        } else if (action === 'export') {
          const exported = await listsOf(db).export({ scope });
          print(exported, exported.text);
        } else {
          const { items } = await listsOf(db).list({ scope, page: 1, pageSize: MAX_RULES });
          const rows = items.map(({ terms, replacements, datasetIds, updatedTime, updatedBy }) => [
            [terms, ...(replacements ? [replacements] : [])].map((side) => side.join(', ')).join(' => '),
            datasetIds?.join(', ') ?? 'all',
            updatedTime.toISOString(),
            updatedBy ?? '',
          ]);
          print(
            items,
            items.length === 0
              ? 'There are none.\n'
              : formatTable(['synonyms', 'datasets', 'changed', 'by'], rows),
          );
        }
        return 0;
      };
    },
  );

function readScope({ tenant, unit }: { tenant?: string; unit?: string }): TenantUnitRef {
  const input = unitOfSynonyms.safeParse({ scope: { tenantId: tenant, tenantUnitId: unit } });
  if (!input.success) throw new UsageError('Name the tenant and its unit, with --tenant and --unit.');
  return input.data.scope;
}

const listsOf = (db: Database) =>
  createSynonymLists({
    db,
    writeTransaction: createWriteTransaction(db),
    clock: () => new Date(),
    maxPageSize: Number.POSITIVE_INFINITY,
  });
