import { useFormat, useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import styles from './conversations.module.css';
import { isBeingWritten, type MessageRecord } from './live-messages';
import { messages } from './messages';

/** As messages have it that are written whole. */
const ORDINARY = 'succeeded';

/** The status of a message: Lectern gives two, a runtime any other. */
export function MessageState({ status }: Pick<MessageRecord, 'status'>) {
  const t = useMessages(messages);
  const { named } = useFormat();
  if (!status || status === ORDINARY) return null;
  if (isBeingWritten({ status })) return <span className={styles.writing}>{t.transcript.writing}</span>;
  if (status === 'interrupted') return <Badge tone="warning">{t.transcript.interrupted}</Badge>;
  return <span>{named(t.transcript.state, status)}</span>;
}
