import { useState } from 'react';
import { permissions } from '../../common/permissions/permissions';
import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Id } from '../../ui/copy-id';
import { Cell, DataTable } from '../../ui/data-table';
import { Time } from '../../ui/time';
import type { ApiKey } from './api-key';
import type { Issued } from './issued-dialog';
import styles from './keys.module.css';
import { messages } from './messages';
import { RevokeDialog } from './revoke-dialog';
import { RotateDialog } from './rotate-dialog';

const TONES: Record<ApiKey['status'], Tone> = { active: 'good', expired: 'neutral', revoked: 'bad' };

interface KeyTableProps {
  keys: ApiKey[];
  /** Of the key that the user is signed in with. */
  ownId: string | undefined;
  onIssued: (issued: Issued) => void;
}

/** Keys, a row each: where and what for, how long, and when they were used. */
export function KeyTable({ keys, ownId, onIssued }: KeyTableProps) {
  const t = useMessages(messages);
  const { columns } = t;
  const [rotating, setRotating] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const titles = [
    columns.name,
    columns.status,
    columns.reach,
    columns.permissions,
    columns.lastUsed,
    columns.expires,
  ];
  return (
    <>
      <DataTable caption={t.title} columns={[...titles, '']}>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            isOwn={key.id === ownId}
            onRotate={() => setRotating(key)}
            onRevoke={() => setRevoking(key)}
          />
        ))}
      </DataTable>
      {rotating && (
        <RotateDialog
          apiKey={rotating}
          onClose={() => setRotating(undefined)}
          onIssued={(issued) => {
            setRotating(undefined);
            onIssued(issued);
          }}
        />
      )}
      {revoking && (
        <RevokeDialog
          apiKey={revoking}
          isOwn={revoking.id === ownId}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  isOwn: boolean;
  onRotate: () => void;
  onRevoke: () => void;
}

function KeyRow({ apiKey, isOwn, onRotate, onRevoke }: KeyRowProps) {
  const t = useMessages(messages);
  const {
    id,
    name,
    status,
    scopes,
    tenantUnitIds,
    datasetIds,
    lastUsedTime,
    expiresTime,
    successorId,
    madeInOpenMode,
  } = apiKey;
  return (
    <tr>
      <Cell kind="wide">
        <strong>{name}</strong>
        <p className={styles.soft}>
          <Id id={id} of={name} />
        </p>
        {isOwn && <p className={styles.soft}>{t.yours}</p>}
        {madeInOpenMode && <p className={styles.soft}>{t.madeInOpenMode}</p>}
        {successorId && <p className={styles.soft}>{t.replacedBy(successorId)}</p>}
      </Cell>
      <Cell label={t.columns.status}>
        <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>
      </Cell>
      <Cell label={t.columns.reach} kind="soft">
        <p>{tenantUnitIds ? t.units(tenantUnitIds.join(', ')) : t.allUnits}</p>
        <p>{datasetIds ? t.datasets(datasetIds.join(', ')) : t.allDatasets}</p>
      </Cell>
      <Cell label={t.columns.permissions} kind="soft">
        {scopes.length === permissions.length ? t.everything : scopes.join(', ')}
      </Cell>
      <Cell label={t.columns.lastUsed} kind="soft">
        {lastUsedTime ? <Time iso={lastUsedTime} /> : t.never}
      </Cell>
      <Cell label={t.columns.expires} kind="soft">
        {expiresTime ? <Time iso={expiresTime} /> : t.never}
      </Cell>
      <Cell kind="actions">
        {status === 'active' && !successorId && (
          <Button size="small" aria-label={t.rotateOf(name)} onClick={onRotate}>
            {t.rotate.confirm}
          </Button>
        )}{' '}
        {status === 'active' && (
          <Button kind="quiet" size="small" aria-label={t.revokeOf(name)} onClick={onRevoke}>
            {t.revoke.confirm}
          </Button>
        )}
      </Cell>
    </tr>
  );
}
