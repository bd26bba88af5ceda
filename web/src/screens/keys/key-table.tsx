import { type ReactNode, useState } from 'react';
import { permissions } from '../../common/permissions/permissions';
import { useMessages } from '../../language/language';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Id } from '../../ui/copy-id';
import { Cell, DataTable } from '../../ui/data-table';
import { type Sorting, sortHeadings } from '../../ui/sort-heading';
import { Time } from '../../ui/time';
import type { ApiKey } from './api-key';
import type { Column } from './columns';
import type { Issued } from './issued-dialog';
import styles from './keys.module.css';
import { messages } from './messages';
import { RevokeDialog } from './revoke-dialog';
import { RotateDialog } from './rotate-dialog';

const TONES: Record<ApiKey['status'], Tone> = { active: 'good', expired: 'neutral', revoked: 'bad' };

/** What the first press on a title sorts by. */
const FIRST: Partial<Record<Column | 'name', string>> = {
  name: 'name',
  created: '-createdTime',
  lastUsed: '-lastUsedTime',
  expires: 'expiresTime',
};

interface KeyTableProps {
  keys: ApiKey[];
  columns: readonly Column[];
  sorting: Sorting;
  /** Of the key that the user is signed in with. */
  ownId: string | undefined;
  onIssued: (issued: Issued) => void;
}

/** Keys, a row each: where and what for, how long, and when they were used. */
export function KeyTable({ keys, columns, sorting, ownId, onIssued }: KeyTableProps) {
  const t = useMessages(messages);
  const [rotating, setRotating] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const titles = sortHeadings(['name', ...columns], { titles: t.columns, first: FIRST, sorting });
  return (
    <>
      <DataTable caption={t.title} columns={[...titles, '']}>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            columns={columns}
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
  columns: readonly Column[];
  isOwn: boolean;
  onRotate: () => void;
  onRevoke: () => void;
}

function KeyRow({ apiKey, columns, isOwn, onRotate, onRevoke }: KeyRowProps) {
  const t = useMessages(messages);
  const {
    id,
    name,
    status,
    scopes,
    tenantUnitIds,
    datasetIds,
    createdTime,
    lastUsedTime,
    expiresTime,
    successorId,
    madeInOpenMode,
  } = apiKey;
  const cells: Record<Column, ReactNode> = {
    status: <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>,
    reach: (
      <>
        <p>{tenantUnitIds ? t.units(tenantUnitIds.join(', ')) : t.allUnits}</p>
        <p>{datasetIds ? t.datasets(datasetIds.join(', ')) : t.allDatasets}</p>
      </>
    ),
    permissions: scopes.length === permissions.length ? t.everything : scopes.join(', '),
    created: <Time iso={createdTime} />,
    lastUsed: lastUsedTime ? <Time iso={lastUsedTime} /> : t.never,
    // One that was revoked has ended already.
    expires: status === 'revoked' ? '–' : expiresTime ? <Time iso={expiresTime} /> : t.never,
  };
  return (
    <tr>
      <Cell kind="wide">
        <span className={styles.name}>{name}</span>
        <p className={styles.soft}>
          <Id id={id} of={name} />
        </p>
        {isOwn && <p className={styles.soft}>{t.yours}</p>}
        {madeInOpenMode && <p className={styles.soft}>{t.madeInOpenMode}</p>}
        {successorId && <p className={styles.soft}>{t.replacedBy(successorId)}</p>}
      </Cell>
      {columns.map((column) => (
        <Cell key={column} label={t.columns[column]} kind={column === 'status' ? undefined : 'soft'}>
          {cells[column]}
        </Cell>
      ))}
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
