import { Link } from '@tanstack/react-router';
import { conversationMessages } from '../../common/conversations/messages';
import { documentMessages } from '../../common/documents/messages';
import { useFormat, useMessages } from '../../language/language';
import type { ChartTone } from '../../ui/charts/series';
import { StackedBar } from '../../ui/charts/stacked-bar';
import { Panel, Remark, Stat, Stats } from '../../ui/panel';
import { messages } from './messages';
import styles from './overview.module.css';
import type { Count, Overview } from './use-overview';

type Documents = NonNullable<Overview['documents']>;
type Conversations = NonNullable<Overview['conversations']>;

const DOCUMENT_TONES: Record<keyof Documents, ChartTone> = {
  created: 'neutral',
  processing: 'busy',
  ready: 'good',
  failed: 'bad',
};
const CONVERSATION_TONES: Record<keyof Conversations, ChartTone> = {
  submitted: 'neutral',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  stopped: 'neutral',
  canceled: 'neutral',
  'input-required': 'accent',
  'partial-succeeded': 'good',
  'review-requested': 'accent',
  reviewed: 'good',
  unknown: 'neutral',
  none: 'neutral',
};
const keysOf = <Name extends string>(tones: Record<Name, ChartTone>) => Object.keys(tones) as Name[];

/** How many documents there are in each state. Each number leads to the list of those. */
export function DocumentsPanel({ documents }: { documents: Overview['documents'] }) {
  const t = useMessages(messages);
  const states = useMessages(documentMessages);
  const toText = useCountText();
  if (!documents) return <Withheld title={t.documents} permission="documents:read" />;
  const statuses = keysOf(DOCUMENT_TONES);
  return (
    <Panel title={t.documents}>
      <StackedBar
        parts={statuses.map((status) => ({
          name: states.statuses[status],
          tone: DOCUMENT_TONES[status],
          value: documents[status].count,
        }))}
      />
      <Stats>
        {statuses.map((status) => (
          <Stat key={status} name={states.statuses[status]}>
            <Link to="/documents" search={{ status }}>
              {toText(documents[status])}
            </Link>
          </Stat>
        ))}
      </Stats>
      {statuses.some((status) => documents[status].isLowerBound) && <Remark>{t.atLeastHint}</Remark>}
    </Panel>
  );
}

/** The same of conversations, of the states that there are. */
export function ConversationsPanel({ conversations }: { conversations: Overview['conversations'] }) {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  const toText = useCountText();
  if (!conversations) return <Withheld title={t.conversations} permission="conversations:read" />;
  const statuses = keysOf(CONVERSATION_TONES).filter((status) => conversations[status].count > 0);
  return (
    <Panel title={t.conversations}>
      {statuses.length === 0 ? (
        <Remark>{t.noConversations}</Remark>
      ) : (
        <>
          <StackedBar
            parts={statuses.map((status) => ({
              name: states.statuses[status],
              tone: CONVERSATION_TONES[status],
              value: conversations[status].count,
            }))}
          />
          <Stats>
            {statuses.map((status) => (
              <Stat key={status} name={states.statuses[status]}>
                <Link to="/conversations" search={(now) => ({ ...now, ...filterOf(status) })}>
                  {toText(conversations[status])}
                </Link>
              </Stat>
            ))}
          </Stats>
          {statuses.some((status) => conversations[status].isLowerBound) && <Remark>{t.atLeastHint}</Remark>}
        </>
      )}
    </Panel>
  );
}

/** Why documents have failed. */
export function FailuresPanel({ failures }: { failures: Overview['failures'] }) {
  const t = useMessages(messages);
  const format = useFormat();
  if (!failures) return <Withheld title={t.failures} permission="documents:read" />;
  if (failures.length === 0) {
    return (
      <Panel title={t.failures}>
        <Remark>{t.noFailures}</Remark>
      </Panel>
    );
  }
  return (
    <Panel title={t.failures}>
      <ul className={styles.failures}>
        {failures.map(({ code, count }) => (
          <li key={code}>
            <code>{code}</code>
            <span className={styles.count}>{t.failureCount(format.count(count), count)}</span>
          </li>
        ))}
      </ul>
      <Remark>
        {t.failuresHint}{' '}
        <Link to="/documents" search={{ status: 'failed' }}>
          {t.showFailed}
        </Link>
      </Remark>
    </Panel>
  );
}

/** No filter finds those without status. */
const filterOf = (state: keyof Conversations): object => (state === 'none' ? {} : { state });

function Withheld({ title, permission }: { title: string; permission: string }) {
  const t = useMessages(messages);
  return (
    <Panel title={title}>
      <Remark>{t.needs(permission)}</Remark>
    </Panel>
  );
}

function useCountText() {
  const t = useMessages(messages);
  const format = useFormat();
  return ({ count, isLowerBound }: Count) =>
    isLowerBound ? t.atLeast(format.count(count)) : format.count(count);
}
