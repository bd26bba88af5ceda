import { type ChunkSearch, chunkSearch } from '../../services/chunks.schema.js';
import { type Given, UsageError } from '../run-command.js';

export const SEARCH_OPTIONS = {
  tenant: { type: 'string' },
  unit: { type: 'string', multiple: true },
  dataset: { type: 'string', multiple: true },
  language: { type: 'string' },
  'top-k': { type: 'string' },
  explain: { type: 'boolean' },
  chunk: { type: 'string' },
} as const;

type Values = Given<{ options: typeof SEARCH_OPTIONS }>['values'];

/** Where each part of a search comes from. */
const SOURCES: Record<string, string> = {
  query: 'The question',
  topK: '--top-k',
  language: '--language',
  datasetIds: '--dataset',
  tenantId: '--tenant',
  tenantUnitId: '--unit',
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
    topK: values['top-k'] === undefined ? undefined : Number(values['top-k']),
  });
  if (!result.success) {
    const { path, message } = result.error.issues[0] as (typeof result.error.issues)[number];
    const source = path.map((part) => SOURCES[String(part)]).find(Boolean);
    throw new UsageError(`${source} cannot be used: ${message}.`);
  }
  return result.data;
}
