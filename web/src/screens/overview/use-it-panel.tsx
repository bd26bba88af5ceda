import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { KeyRound, Search } from 'lucide-react';
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { useDatasets } from '../../api/reach';
import { useScope } from '../../api/scope';
import { serverStatus } from '../../api/server-status';
import { session } from '../../api/session';
import { CodeTabs } from '../../common/search-code/code-tabs';
import { snippetLanguages, toMcpConfig, toSnippet } from '../../common/search-code/snippets';
import { useLanguage, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Panel, Remark } from '../../ui/panel';
import styles from './first-steps.module.css';
import { messages } from './messages';

const MAX_DATASETS = 10;
const TOP_K = 5;

/** What comes after the first document: a question, and the same from a program. Until agents use the tenant. */
export function UseItPanel() {
  const t = useMessages(messages).useIt;
  const { language } = useLanguage();
  const navigate = useNavigate();
  const { tenantId, tenantUnitId } = useScope();
  const { data: info } = useQuery(session);
  const { data: server } = useQuery(serverStatus);
  const { datasets, refresh } = useDatasets({ tenantId, tenantUnitId }, '');
  const readAgain = useEffectEvent(refresh);
  // They may have been read before the first document was added.
  useEffect(() => readAgain(), []);
  const [question, setQuestion] = useState('');
  const unit = tenantUnitId ?? info?.server.defaultTenantUnit.tenantUnitId;
  const datasetIds = datasets.slice(0, MAX_DATASETS).map(({ datasetId }) => datasetId);
  if (datasetIds.length === 0 || unit === undefined) return null;

  const needsKey = server?.needsKey ?? true;
  const context = { origin: window.location.origin, needsKey };
  const input = {
    scope: { tenantId, tenantUnitId: unit },
    datasetIds,
    query: question.trim() || t.example,
    topK: TOP_K,
    language: language === 'zh' ? ('chinese' as const) : ('english' as const),
  };
  const ask = (event: SyntheticEvent) => {
    event.preventDefault();
    const search = { unit, q: input.query, datasets: datasetIds.join(','), language: input.language };
    void navigate({ to: '/search', search });
  };
  return (
    <Panel title={t.title} isWide>
      <form className={styles.ask} onSubmit={ask}>
        <TextField
          label={t.question}
          type="search"
          value={question}
          placeholder={t.example}
          maxLength={300}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <Button type="submit" kind="primary">
          <Search />
          {t.ask}
        </Button>
      </form>
      <CodeTabs
        snippets={[
          ...snippetLanguages.map((name) => ({ name, text: toSnippet(name, input, context) })),
          { name: 'MCP', text: toMcpConfig(context) },
        ]}
      />
      {needsKey && (
        <Remark>
          {t.key}{' '}
          <Link to="/keys" search={{ make: true }}>
            <KeyRound /> {t.make}
          </Link>
        </Remark>
      )}
    </Panel>
  );
}
