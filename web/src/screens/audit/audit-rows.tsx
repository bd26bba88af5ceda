import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DetailRow } from '../../ui/data-table';
import { Person } from '../../ui/person';
import { useActionWords } from './actions';
import styles from './audit.module.css';
import { Comparison } from './comparison';
import { messages } from './messages';
import { Subject } from './subject';
import type { AuditEvent } from './use-subjects';

interface AuditRowsProps {
  event: AuditEvent;
  /** Of the key that did it, where it is known. */
  keyName: string | null | undefined;
  /** Of what was changed, likewise. */
  subjectName: string | undefined;
  /** Whether it is known to be there no more. */
  isGone: boolean;
}

/** A change, and below it what it changed, where that is unfolded. */
export function AuditRows({ event, keyName, subjectName, isGone }: AuditRowsProps) {
  const t = useMessages(messages);
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const wordsOf = useActionWords();
  const { time, action, subjectId, keyId, userId, userName, userIssuer } = event;
  return (
    <>
      <tr>
        <Cell label={t.columns.time} kind="soft">
          <time className={styles.time} dateTime={time} title={format.exactTime(time)}>
            {format.seconds(time)}
          </time>
        </Cell>
        <Cell label={t.columns.action} kind="wide">
          <span title={action} className={styles.action}>
            {wordsOf(action)}
          </span>
        </Cell>
        <Cell label={t.columns.subject} kind="wide">
          <Subject event={event} name={subjectName} isGone={isGone} />
        </Cell>
        <Cell label={t.columns.who} kind="soft">
          <div className={`${styles.line} ${styles.who}`}>
            {userId && <Person userId={userId} name={userName} issuer={userIssuer} />}
            <span>{keyId ? t.keyIs(keyName ?? keyId) : userIssuer ? t.withToken : t.withoutKey}</span>
          </div>
        </Cell>
        <Cell kind="actions">
          <Button
            kind="quiet"
            size="icon"
            className={styles.toggle ?? ''}
            aria-expanded={isOpen}
            aria-label={(isOpen ? t.hideOf : t.showOf)(wordsOf(action), subjectName ?? subjectId)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <ChevronUp /> : <ChevronDown />}
          </Button>
        </Cell>
      </tr>
      {isOpen && (
        <DetailRow columns={5}>
          <Comparison before={event.before} after={event.after} />
          <Origin event={event} />
        </DetailRow>
      )}
    </>
  );
}

/** Where a change came from, by ids. */
function Origin({
  event: { action, subjectId, requestId, address, keyId, userId, userIssuer },
}: {
  event: AuditEvent;
}) {
  const t = useMessages(messages);
  const ids: [name: string, id: string | null][] = [
    [t.action, action],
    [t.subject, subjectId],
    [t.request, requestId ?? t.none],
    [t.address, address ?? t.none],
    [t.key, keyId],
    [t.user, userId],
    [t.issuer, userIssuer],
  ];
  return (
    <p className={styles.request}>
      {ids.map(
        ([name, id]) =>
          id !== null && (
            <span key={name}>
              {name} <code>{id}</code>
            </span>
          ),
      )}
    </p>
  );
}
