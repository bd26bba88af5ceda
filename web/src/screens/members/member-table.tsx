import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DataTable } from '../../ui/data-table';
import { Person } from '../../ui/person';
import { Time } from '../../ui/time';
import styles from './members.module.css';
import { messages } from './messages';
import { RoleBadge } from './role-badge';
import type { Member } from './use-members';

interface MemberTableProps {
  members: Member[];
  onRemove: (member: Member) => void;
}

/** Members, a row each: who vouches for them, their role and where it holds, and when they were seen. */
export function MemberTable({ members, onRemove }: MemberTableProps) {
  const t = useMessages(messages);
  const { columns } = t;
  return (
    <DataTable
      caption={t.title}
      columns={[columns.name, columns.issuer, columns.role, columns.reach, columns.lastSeen, '']}
    >
      {members.map((member) => (
        <MemberRow key={member.id} member={member} onRemove={() => onRemove(member)} />
      ))}
    </DataTable>
  );
}

function MemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const t = useMessages(messages);
  const mayWrite = usePermission('members:write') === true;
  const { id, userId, name, email, issuer, role, lastSeenTime } = member;
  const shown = name ?? userId;
  return (
    <tr>
      <Cell kind="wide">
        <Person userId={userId} name={name} issuer={issuer} />
        <p className={styles.soft}>
          <code>{userId}</code>
        </p>
        {email && <p className={styles.soft}>{email}</p>}
      </Cell>
      <Cell label={t.columns.issuer} kind="soft">
        {issuer}
      </Cell>
      <Cell label={t.columns.role}>
        <RoleBadge role={role} />
      </Cell>
      <Cell label={t.columns.reach} kind="soft">
        <Reach member={member} />
      </Cell>
      <Cell label={t.columns.lastSeen} kind="soft">
        <Time iso={lastSeenTime} />
      </Cell>
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
