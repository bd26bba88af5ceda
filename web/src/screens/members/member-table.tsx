import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePermission } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DataTable } from '../../ui/data-table';
import { Person } from '../../ui/person';
import { type Sorting, sortHeadings } from '../../ui/sort-heading';
import { Time } from '../../ui/time';
import type { Column } from './columns';
import styles from './members.module.css';
import { messages } from './messages';
import { RoleBadge } from './role-badge';
import type { Member } from './use-members';

/** What the first press on a title sorts by. */
const FIRST: Partial<Record<Column | 'name', string>> = {
  name: 'name',
  since: '-createdTime',
  lastSeen: '-lastSeenTime',
};

interface MemberTableProps {
  members: Member[];
  columns: readonly Column[];
  sorting: Sorting;
  onRemove: (member: Member) => void;
}

/** Members, a row each: who vouches for them, their role and where it holds, and when they were seen. */
export function MemberTable({ members, columns, sorting, onRemove }: MemberTableProps) {
  const t = useMessages(messages);
  const titles = sortHeadings(['name', ...columns], { titles: t.columns, first: FIRST, sorting });
  return (
    <DataTable caption={t.title} columns={[...titles, '']}>
      {members.map((member) => (
        <MemberRow key={member.id} member={member} columns={columns} onRemove={() => onRemove(member)} />
      ))}
    </DataTable>
  );
}

interface MemberRowProps {
  member: Member;
  columns: readonly Column[];
  onRemove: () => void;
}

function MemberRow({ member, columns, onRemove }: MemberRowProps) {
  const t = useMessages(messages);
  const mayWrite = usePermission('members:write') === true;
  const { id, userId, name, email, issuer, role, createdTime, lastSeenTime } = member;
  const shown = name ?? userId;
  const cells: Record<Column, ReactNode> = {
    issuer,
    role: <RoleBadge role={role} />,
    reach: <Reach member={member} />,
    since: <Time iso={createdTime} />,
    lastSeen: <Time iso={lastSeenTime} />,
  };
  return (
    <tr>
      <Cell kind="wide">
        <span className={styles.name}>
          <Person userId={userId} name={name} issuer={issuer} />
        </span>
        <p className={styles.soft}>
          <code>{userId}</code>
        </p>
        {email && <p className={styles.soft}>{email}</p>}
      </Cell>
      {columns.map((column) => (
        <Cell key={column} label={t.columns[column]} kind={column === 'role' ? undefined : 'soft'}>
          {cells[column]}
        </Cell>
      ))}
      <Cell kind="actions">
        <Link
          from="/members"
          to="/members"
          search={(now) => ({ ...now, member: id })}
          aria-label={mayWrite ? t.changeOf(shown) : t.showOf(shown)}
        >
          {mayWrite ? t.change : t.show}
        </Link>{' '}
        {mayWrite && (
          <Button kind="quiet" size="small" aria-label={t.removeOf(shown)} onClick={onRemove}>
            {t.remove.confirm}
          </Button>
        )}
      </Cell>
    </tr>
  );
}

/** Where the role holds; that of the claims is not known here. */
function Reach({ member: { role, tenantUnitIds, datasetIds } }: { member: Member }) {
  const t = useMessages(messages);
  if (role === null) return t.none;
  return (
    <>
      <p>{tenantUnitIds ? t.units(tenantUnitIds.join(', ')) : t.allUnits}</p>
      <p>{datasetIds ? t.datasets(datasetIds.join(', ')) : t.allDatasets}</p>
    </>
  );
}
