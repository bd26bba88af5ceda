import { lazy, Suspense } from 'react';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { useMessages } from '../../language/language';
import { PageHeader } from '../../ui/page-header';
import { AttentionPanel } from './attention-panel';
import { ConversationDaysPanel } from './conversation-days-panel';
import { messages } from './messages';
import styles from './overview.module.css';
import { RatesPanel } from './rates-panel';
import { ConversationsPanel, DocumentsPanel } from './status-panels';
import { UsagePanel } from './usage-panel';
import { type Overview, useOverview } from './use-overview';

/* Of new tenants: others do not load it. */
const FirstSteps = lazy(() => import('./first-steps').then(({ FirstSteps }) => ({ default: FirstSteps })));
const UseItPanel = lazy(() => import('./use-it-panel').then(({ UseItPanel }) => ({ default: UseItPanel })));

/** What the tenant has, what happens to it, and what failed. */
export function OverviewScreen() {
  const t = useMessages(messages);
  const { data, error, refetch } = useOverview();
  const { tenantId, tenantUnitId } = useScope();
  return (
    <>
      <PageHeader title={t.title} />
      {error && <CallError error={error} onRetry={refetch} />}
      {!data && !error && <p className={styles.loading}>{t.loading}</p>}
      {data && isNone(data.documents) && isNone(data.conversations) && (
        <>
          <Suspense>
            <FirstSteps />
          </Suspense>
          {/* Webhooks and keys are of the tenant, whose unit may be empty. */}
          <AttentionPanel />
        </>
      )}
      {data && !(isNone(data.documents) && isNone(data.conversations)) && (
        <>
          <AttentionPanel />
          <div className={styles.figures}>
            <DocumentsPanel documents={data.documents} />
            <ConversationsPanel conversations={data.conversations} />
            <UsagePanel />
          </div>
          {data.documents && !isNone(data.documents) && isNone(data.conversations) && (
            <Suspense>
              <UseItPanel key={JSON.stringify([tenantId, tenantUnitId])} />
            </Suspense>
          )}
          <RatesPanel />
          {/* The last, as its table of agents may be of any height. */}
          <ConversationDaysPanel isExpected={!isNone(data.conversations)} />
        </>
      )}
    </>
  );
}

const isNone = (counts: Overview['documents'] | Overview['conversations']): boolean =>
  counts !== null && Object.values(counts).every(({ count }) => count === 0);
