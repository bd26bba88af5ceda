import { lazy, Suspense, useState } from 'react';
import { CallError } from '../../api/call-error';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import { Panel, Remark } from '../../ui/panel';
import { ChartsRoom } from './charts-room';
import { ConversationCharts } from './conversation-charts';
import { messages } from './messages';
import styles from './overview.module.css';
import { type ConversationDays, useConversationDays } from './use-overview';

/* Of tenants with conversations: others do not load it. */
const AgentTable = lazy(() => import('./agent-table').then(({ AgentTable }) => ({ default: AgentTable })));

const periods = [7, 30, 90];

/**
 * Conversations by day and by agent: messages, tokens, feedback, and how long first answers took.
 *
 * @param isExpected whether there are conversations, for which it leaves room while it loads
 */
export function ConversationDaysPanel({ isExpected }: { isExpected: boolean }) {
  const { days: t, needs, loading } = useMessages(messages);
  const [period, setPeriod] = useState(30);
  const { data, error, refetch, isPermitted } = useConversationDays(period);
  const choice = (
    <div className={styles.period}>
      <Select
        label={t.period}
        value={period}
        options={periods.map((days) => ({ value: String(days), text: t.periods(days) }))}
        onChange={(event) => setPeriod(Number(event.target.value))}
      />
    </div>
  );
  return (
    <Panel title={t.title} isWide actions={isPermitted && (data || isExpected) ? choice : undefined}>
      {isPermitted === false && <Remark>{needs('conversations:read')}</Remark>}
      {error && <CallError error={error} onRetry={refetch} />}
      {isPermitted && !data && !error && (isExpected ? <Room /> : <Remark>{loading}</Remark>)}
      {data && isEmpty(data) && <Remark>{t.none}</Remark>}
      {data && !isEmpty(data) && (
        <>
          <ConversationCharts data={data} />
          <Suspense fallback={<div className={styles.tableRoom} />}>
            <AgentTable data={data} />
          </Suspense>
          <Remark>{t.hint}</Remark>
        </>
      )}
    </Panel>
  );
}

const Room = () => (
  <>
    <ChartsRoom count={5} />
    <div className={styles.tableRoom} />
  </>
);

const isEmpty = ({ total: { conversations, userMessages, agentMessages } }: ConversationDays): boolean =>
  conversations + userMessages + agentMessages === 0;
