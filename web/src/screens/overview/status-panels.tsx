import type { LinkProps } from '@tanstack/react-router';
import { conversationMessages } from '../../common/conversations/messages';
import { STATUS_TONES } from '../../common/conversations/status-tones';
import { documentMessages } from '../../common/documents/messages';
import { useMessages } from '../../language/language';
import type { ChartTone } from '../../ui/charts/series';
import { Panel, Remark } from '../../ui/panel';
import { messages } from './messages';
import { StatusCounts } from './status-counts';
import { type Overview, useAttention } from './use-overview';

type Documents = NonNullable<Overview['documents']>;
type Conversations = NonNullable<Overview['conversations']>;

const DOCUMENT_TONES: Record<keyof Documents, ChartTone> = {
  ready: 'good',
  processing: 'busy',
  created: 'neutral',
  failed: 'bad',
};
const keysOf = <Name extends string>(tones: Record<Name, ChartTone>) => Object.keys(tones) as Name[];

/** How many documents there are, and in each state. Each number leads to the list of those. */
export function DocumentsPanel({ documents }: { documents: Overview['documents'] }) {
  const t = useMessages(messages);
  const states = useMessages(documentMessages);
  const { data: attention } = useAttention();
  if (!documents) return <Withheld title={t.documents} permission="documents:read" />;
  // While they are still being counted, the reasons of failures have counted more of them.
  const failed = documents.failed.isLowerBound
    ? (attention?.documents?.failed ?? documents.failed)
    : documents.failed;
  const counts = { ...documents, failed };
  return (
    <Panel title={t.documents}>
      <StatusCounts
        total={{ to: '/documents' }}
        parts={keysOf(DOCUMENT_TONES).map((status) => ({
          key: status,
          name: states.statuses[status],
          tone: DOCUMENT_TONES[status],
          count: counts[status],
          link: { to: '/documents', search: { status } } satisfies LinkProps,
        }))}
      />
    </Panel>
  );
}

/** The same of conversations. */
export function ConversationsPanel({ conversations }: { conversations: Overview['conversations'] }) {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  if (!conversations) return <Withheld title={t.conversations} permission="conversations:read" />;
  return (
    <Panel title={t.conversations}>
      <StatusCounts
        total={{ to: '/conversations' }}
        parts={keysOf(STATUS_TONES).map((status) => ({
          key: status,
          name: states.statuses[status],
          tone: STATUS_TONES[status],
          count: conversations[status],
          link: linkOf(status),
        }))}
      />
    </Panel>
  );
}

/** No filter finds those without status. */
const linkOf = (state: keyof Conversations): LinkProps =>
  state === 'none' ? { to: '/conversations' } : { to: '/conversations', search: { state } };

function Withheld({ title, permission }: { title: string; permission: string }) {
  const t = useMessages(messages);
  return (
    <Panel title={title}>
      <Remark>{t.needs(permission)}</Remark>
    </Panel>
  );
}
