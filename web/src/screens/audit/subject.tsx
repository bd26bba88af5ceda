import { Link } from '@tanstack/react-router';
import { useMessages } from '../../language/language';
import styles from './audit.module.css';
import { messages } from './messages';
import type { AuditEvent } from './use-subjects';

interface SubjectProps {
  event: AuditEvent;
  /** The id is shown where it is not known. */
  name: string | undefined;
  /** Whether it is known to be there no more: then nothing leads to it. */
  isGone: boolean;
}

/** What was changed, which leads to it where there is a screen for it. */
export function Subject({ event, name, isGone }: SubjectProps) {
  const t = useMessages(messages);
  const { subjectType, subjectId, tenantUnitId } = event;
  const shown = name === undefined ? <code>{subjectId}</code> : <span>{name}</span>;
  return (
    <div className={styles.line} title={subjectId}>
      <span className={`${styles.soft} ${styles.kind}`}>{t.subjects[subjectType]}</span>{' '}
      {isGone ? (
        shown
      ) : subjectType === 'document' ? (
        <Link to="/documents/$documentId" params={{ documentId: subjectId }} preload={false}>
          {shown}
        </Link>
      ) : subjectType === 'conversation' ? (
        <Link to="/conversations" search={{ conversation: subjectId }} preload={false}>
          {shown}
        </Link>
      ) : (
        shown
      )}
      {tenantUnitId && <span className={styles.soft}> · {t.unit(tenantUnitId)}</span>}
    </div>
  );
}
