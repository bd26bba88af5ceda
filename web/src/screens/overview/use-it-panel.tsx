import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KeyRound, Search } from 'lucide-react';
import { lazy, Suspense, type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePermission } from '../../api/permission-gate';
import { useDatasets } from '../../api/reach';
import { useScope } from '../../api/scope';
import { serverStatus } from '../../api/server-status';
import { callerOf, session } from '../../api/session';
import { languageOf } from '../../common/query-language';
import { CodeTabs } from '../../common/search-code/code-tabs';
import { snippetLanguages, toMcpConfig, toSnippet } from '../../common/search-code/snippets';
import { useLanguage, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Panel, Remark } from '../../ui/panel';
import styles from './first-steps.module.css';
import { messages } from './messages';
import { useExample } from './use-example';

const MakeDialog = lazy(() =>
  import('../../common/keys/make-dialog').then(({ MakeDialog }) => ({ default: MakeDialog })),
);

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
  const mayMakeKeys = usePermission('keys:admin') ?? false;
  const [isMaking, setMaking] = useState(false);
  /** It is kept nowhere else, and gone when the panel is left. */
  const [key, setKey] = useState<string>();
  const code = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (key !== undefined) code.current?.querySelector('pre')?.focus();
  }, [key]);
  const [question, setQuestion] = useState('');
  const example = useExample({ tenantId, tenantUnitId }) ?? t.example;
  const unit = tenantUnitId ?? info?.server.defaultTenantUnit.tenantUnitId;
  const datasetIds = datasets.slice(0, MAX_DATASETS).map(({ datasetId }) => datasetId);
  if (datasetIds.length === 0 || unit === undefined) return null;

  const needsKey = server?.needsKey ?? true;
  const context = { origin: window.location.origin, needsKey, key };
  const query = question.trim() || example;
  const input = {
    scope: { tenantId, tenantUnitId: unit },
    datasetIds,
    query,
    topK: TOP_K,
    language: language === 'zh' ? ('chinese' as const) : languageOf(query),
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
          placeholder={example}
          maxLength={300}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <Button type="submit" kind="primary">
          <Search />
          {t.ask}
        </Button>
      </form>
      <div ref={code}>
        <CodeTabs
          snippets={[
            ...snippetLanguages.map((name) => ({ name, text: toSnippet(name, input, context) })),
            { name: 'MCP', text: toMcpConfig(input.scope, context) },
          ]}
        />
      </div>
      {!needsKey && <Remark>{t.open}</Remark>}
      {needsKey && key === undefined && (
        <div className={styles.key}>
          <Remark>{t.key}</Remark>
          {mayMakeKeys && (
            <Button size="small" onClick={() => setMaking(true)}>
              <KeyRound />
              {t.make}
            </Button>
          )}
        </div>
      )}
      <div role="status">{key !== undefined && <Remark>{t.made}</Remark>}</div>
      {isMaking && (
        <Suspense>
          <MakeDialog
            unit={tenantUnitId}
            own={callerOf(info)}
            initialName={t.keyName}
            onClose={() => setMaking(false)}
            onIssued={(issued) => {
              setKey(issued.key);
              setMaking(false);
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}
