import type { Inputs } from '../../api/trpc';

const REST = '/admin/api/v1/api/v1/documentChunks/search';

/** The same search as a command for a POSIX shell. The REST API takes the mode from the configuration; tRPC any. */
export function curlCommand(origin: string, search: Inputs['chunks']['search']): string {
  const { scope, datasetIds, query, topK, language, mode } = search;
  if (mode !== undefined) {
    const url = quote(`${origin}/trpc/chunks.search`);
    return `curl -sG ${url} \\\n  --data-urlencode ${quote(`input=${JSON.stringify(search)}`)}`;
  }
  const url = quote(`${origin}${REST}?tenantId=${encodeURIComponent(scope.tenantId)}`);
  const body = {
    tenant_id: scope.tenantId,
    tenant_unit_id: scope.tenantUnitId,
    dataset_ids: datasetIds,
    query,
    top_k: topK,
    language,
  };
  return `curl -s ${url} \\\n  -H 'content-type: application/json' \\\n  -d ${quote(JSON.stringify(body))}`;
}

/** In single quotes, where a shell reads nothing but the next single quote. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
