import type { z } from 'zod';
import { searchLanguages, searchModes } from '../../search/chunk-index.js';
import { MAX_CONTEXT_CHUNKS } from '../../services/search/context.schema.js';
import { type ChunkSearch, chunkSearch } from '../../services/search/search.schema.js';
import { type Given, UsageError } from '../run-command.js';
import { formatChoices } from '../shared/format.js';

export const SEARCH_OPTIONS = {
  tenant: { type: 'string' },
  unit: { type: 'string', multiple: true },
  dataset: { type: 'string', multiple: true },
  language: { type: 'string' },
  mode: { type: 'string' },
  'top-k': { type: 'string' },
  filter: { type: 'string' },
  context: { type: 'string' },
  explain: { type: 'boolean' },
  chunk: { type: 'string' },
} as const;

type Values = Given<{ options: typeof SEARCH_OPTIONS }>['values'];

/** What each part of a search must be. */
const RULES: Record<string, string> = {
  query: 'The question must have from 1 to 10,000 characters.',
  topK: '--top-k must be a whole number from 1 on.',
  context: `--context must be a whole number from 0 to ${MAX_CONTEXT_CHUNKS}.`,
  language: `--language must be ${searchLanguages.join(' or ')}.`,
  mode: `--mode must be ${formatChoices(searchModes)}.`,
  datasetIds: '--dataset may be given at most 1,000 times.',
  tenantId: '--tenant must not be empty.',
  tenantUnitId: '--unit must not be empty.',
};

/** @throws UsageError where the search is not one that the service would take */
export function readSearch(values: Values, positionals: string[]): ChunkSearch {
  const [query, ...more] = positionals;
  if (query === undefined) throw new UsageError('Say what to search for.');
  if (more.length > 0) throw new UsageError('Put the question into quotes: it is one argument.');
  for (const name of ['tenant', 'unit', 'dataset'] as const) {
    if (values[name] === undefined) throw new UsageError(`--${name} is missing.`);
  }
  const result = chunkSearch.safeParse({
    scope: { tenantId: values.tenant, tenantUnitId: values.unit },
    datasetIds: values.dataset,
    query,
    language: values.language,
    mode: values.mode,
    topK: values['top-k'] === undefined ? undefined : Number(values['top-k']),
    filter: values.filter === undefined ? undefined : readJson(values.filter),
    context:
      values.context === undefined
        ? undefined
        : { before: Number(values.context), after: Number(values.context) },
  });
  if (!result.success) {
    const others = result.error.issues.filter(({ path }) => path[0] !== 'filter');
    const places = others.flatMap(({ path }) => path.map(String));
    const broken = Object.entries(RULES).filter(([part]) => places.includes(part));
    throw new UsageError(
      [...broken.map(([, rule]) => rule), ...filterFaults(result.error.issues)].join('\n'),
    );
  }
  return result.data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--filter must be JSON.');
  }
}

/** At their places in the filter. */
const filterFaults = (issues: z.core.$ZodIssue[]): string[] =>
  issues
    .filter(({ path }) => path[0] === 'filter')
    .map(
      ({ path, message }) =>
        `--filter: ${[path.slice(1).map(String).join('.'), message].filter(Boolean).join(': ')}`,
    );
