import { useState } from 'react';
import type { Outputs } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DetailRow } from '../../ui/data-table';
import { Person } from '../../ui/person';
import { Time } from '../../ui/time';
import styles from './audit.module.css';
import { Comparison } from './comparison';
import { messages } from './messages';

type AuditEvent = Outputs['audit']['list']['items'][number];

interface AuditRowsProps {
  event: AuditEvent;
  /** Of the key that did it, where it is known. */
  keyName: string | null | undefined;
}

/** A change, and below it what it changed, where that is unfolded. */
export function AuditRows({ event, keyName }: AuditRowsProps) {
  const t = useMessages(messages);
  const [isOpen, setOpen] = useState(false);
  const { time, action, subjectType, subjectId, tenantUnitId, keyId, userId, userName, userIssuer } = event;
  return (
    <>
      <tr>
        <Cell label={t.columns.time} kind="soft">
          <Time iso={time} />
        </Cell>
        <Cell label={t.columns.action} kind="wide">
          <code>{action}</code>
        </Cell>
        <Cell label={t.columns.subject}>
          {t.subjects[subjectType]}
          <p className={styles.soft}>
            <code>{subjectId}</code>
          </p>
          {tenantUnitId && <p className={styles.soft}>{t.unit(tenantUnitId)}</p>}
        </Cell>
        <Cell label={t.columns.who} kind="soft">
          {userId && <Person userId={userId} name={userName} issuer={userIssuer} />}
          <p>{keyId ? t.keyIs(keyName ?? keyId) : userIssuer ? t.withToken : t.withoutKey}</p>
        </Cell>
        <Cell kind="actions">
          <Button
            size="small"
            aria-expanded={isOpen}
            aria-label={isOpen ? t.hideOf(action, subjectId) : t.showOf(action, subjectId)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t.hide : t.show}
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
function Origin({ event: { requestId, address, keyId, userId, userIssuer } }: { event: AuditEvent }) {
  const t = useMessages(messages);
  const ids: [name: string, id: string | null][] = [
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
