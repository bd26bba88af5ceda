import { useQuery } from '@tanstack/react-query';
import { useDatasets } from '../../api/reach';
import { useScope } from '../../api/scope';
import { session } from '../../api/session';
import { CodeTabs } from '../../common/search-code/code-tabs';
import { snippetLanguages, toMcpConfig, toSnippet } from '../../common/search-code/snippets';
import { useLanguage, useMessages } from '../../language/language';
import { messages } from './messages';

/** What a key gives access to. */
export interface KeyReach {
  scopes: readonly string[];
  tenantUnitIds: readonly string[] | null;
  datasetIds: readonly string[] | null;
}

const MAX_DATASETS = 10;

/** What comes after making a key: a search with it, from a program. Nothing where the key cannot search. */
export function UseKey({ apiKey, reach }: { apiKey: string; reach: KeyReach }) {
  const t = useMessages(messages).use;
  const { language } = useLanguage();
  const { tenantId, tenantUnitId } = useScope();
  const { data: info } = useQuery(session);
  const unit = reach.tenantUnitIds?.[0] ?? tenantUnitId ?? info?.server.defaultTenantUnit.tenantUnitId;
  const { datasets } = useDatasets({ tenantId, tenantUnitId: unit }, '');
  const known = reach.datasetIds ?? datasets.map(({ datasetId }) => datasetId);
  if (!reach.scopes.includes('search') || unit === undefined || known.length === 0) return null;
  const context = { origin: window.location.origin, needsKey: true, key: apiKey };
  const input = {
    scope: { tenantId, tenantUnitId: unit },
    datasetIds: known.slice(0, MAX_DATASETS),
    query: t.example,
    topK: 5,
    language: language === 'zh' ? ('chinese' as const) : ('english' as const),
  };
  return (
    <section aria-label={t.title}>
      <p>{t.title}</p>
      <CodeTabs
        snippets={[
          ...snippetLanguages.map((name) => ({ name, text: toSnippet(name, input, context) })),
          { name: 'MCP', text: toMcpConfig(input.scope, context) },
        ]}
      />
    </section>
  );
}
