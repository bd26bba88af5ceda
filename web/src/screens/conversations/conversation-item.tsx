import { Link } from '@tanstack/react-router';
import { useMessages } from '../../language/language';
import { Time } from '../../ui/time';
import styles from './conversations.module.css';
import { LabelBadges } from './labels/label-badges';
import { messages } from './messages';
import type { ListedConversation } from './search-params';
import { StatusBadge } from './status-badge';

interface ConversationItemProps {
  conversation: ListedConversation;
  isOpened: boolean;
  isChosen: boolean;
  /** @param isRange whether all since the last one are meant */
  onChoose: (id: string, isChosen: boolean, isRange: boolean) => void;
}

/** A conversation of the list, with a box to choose it for a change of several. */
export function ConversationItem({ conversation, isOpened, isChosen, onChoose }: ConversationItemProps) {
  const t = useMessages(messages);
  const { id, status, labels, messageCount, createdTime } = conversation;
  const topic = conversation.topic || t.noTopic;
  return (
    <li className={styles.row}>
      <label className={styles.box}>
        <input
          type="checkbox"
          aria-label={t.bulk.choose(topic)}
          checked={isChosen}
          onChange={(event) => {
            const { shiftKey } = event.nativeEvent as MouseEvent;
            onChoose(id, event.target.checked, shiftKey);
          }}
        />
      </label>
      <Link
        from="/conversations"
        to="/conversations"
        search={(now) => ({ ...now, conversation: id, message: undefined })}
        className={styles.item}
        aria-current={isOpened ? 'true' : undefined}
        preload={false}
        resetScroll={false}
      >
        <span className={styles.topic}>{topic}</span>
        <span className={styles.line}>
          <StatusBadge status={status} />
          <span>{t.messages(messageCount)}</span>
          <Time iso={createdTime} />
          <LabelBadges ids={labels} />
        </span>
      </Link>
    </li>
  );
}
