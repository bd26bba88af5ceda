import { useState } from 'react';
import type { Outputs } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DetailRow } from '../../ui/data-table';
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
  const { time: format } = useFormat();
  const [isOpen, setOpen] = useState(false);
  const { time, action, subjectType, subjectId, tenantUnitId, keyId, userId, address, requestId } = event;
  return (
    <>
      <tr>
        <Cell label={t.columns.time} kind="soft">
          <time dateTime={time}>{format(time)}</time>
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
          {userId && <p>{t.userIs(userId)}</p>}
          <p>{keyId ? t.keyIs(keyName ?? keyId) : t.withoutKey}</p>
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
          <p className={styles.request}>
            <span>
              {t.request} <code>{requestId ?? t.none}</code>
            </span>
            <span>
              {t.address} <code>{address ?? t.none}</code>
            </span>
            {keyId && (
              <span>
                {t.key} <code>{keyId}</code>
              </span>
            )}
          </p>
        </DetailRow>
      )}
    </>
  );
}
