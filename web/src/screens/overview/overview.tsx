import { Link } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import { useMessages } from '../../language/language';
import { EmptyState } from '../../ui/notice';
import { PageHeader } from '../../ui/page-header';
import { AttentionPanel } from './attention-panel';
import { ConversationDaysPanel } from './conversation-days-panel';
import { messages } from './messages';
import styles from './overview.module.css';
import { RatesPanel } from './rates-panel';
import { ConversationsPanel, DocumentsPanel } from './status-panels';
import { UsagePanel } from './usage-panel';
import { type Overview, useOverview } from './use-overview';

/** What the tenant has, what happens to it, and what failed. */
export function OverviewScreen() {
  const t = useMessages(messages);
  const { data, error, refetch } = useOverview();
  return (
    <>
      <PageHeader title={t.title} />
      {error && <CallError error={error} onRetry={refetch} />}
      {!data && !error && <p className={styles.loading}>{t.loading}</p>}
      {data && (
        <>
          {isEmpty(data) && <FirstSteps />}
          <AttentionPanel />
          <div className={styles.figures}>
            <DocumentsPanel documents={data.documents} />
            <ConversationsPanel conversations={data.conversations} />
            <UsagePanel />
          </div>
          <ConversationDaysPanel />
          <RatesPanel />
        </>
      )}
    </>
  );
}

/** What to do on a new server. */
function FirstSteps() {
  const t = useMessages(messages).start;
  return (
    <EmptyState title={t.title}>
      <p>{t.text}</p>
      <ol className={styles.steps}>
        <li>
          <Link to="/documents">{t.add}</Link>
        </li>
        <li>
          <Link to="/search">{t.search}</Link>
        </li>
        <li>
          <Link to="/keys">{t.keys}</Link>
        </li>
        <li>
          <a href="/docs">{t.reference}</a>
        </li>
      </ol>
      <p>{t.seed}</p>
    </EmptyState>
  );
}

const isEmpty = ({ documents, conversations }: Overview): boolean =>
  [documents, conversations].every(
    (counts) => counts !== null && Object.values(counts).every(({ count }) => count === 0),
  );
