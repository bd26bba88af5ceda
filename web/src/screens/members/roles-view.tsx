import { CallError } from '../../api/call-error';
import { permissionMessages } from '../../common/permissions/messages';
import { permissions } from '../../common/permissions/permissions';
import { useMessages } from '../../language/language';
import { Cell, DataTable } from '../../ui/data-table';
import styles from './members.module.css';
import { messages } from './messages';
import { useRoles } from './use-members';

/** What each role permits, a permission in each row. */
export function RolesView() {
  const t = useMessages(messages);
  const sentences = useMessages(permissionMessages);
  const { data, error, refetch } = useRoles();
  if (error) return <CallError error={error} onRetry={refetch} />;
  if (!data) return <p>{t.loading}</p>;
  const roleSentences: Record<string, string> = t.roles.sentences;
  return (
    <>
      <p className={styles.soft}>{t.roles.text}</p>
      <dl className={styles.facts}>
        {data.map(({ role }) => (
          <div key={role}>
            <dt>
              <code>{role}</code>
            </dt>
            <dd>{roleSentences[role]}</dd>
          </div>
        ))}
      </dl>
      <DataTable caption={t.roles.title} columns={[t.roles.permission, ...data.map(({ role }) => role)]}>
        {permissions.map((permission) => (
          <tr key={permission}>
            <Cell kind="wide">
              <code>{permission}</code>
              <p className={styles.soft}>{sentences[permission]}</p>
            </Cell>
            {data.map((one) => (
              <Cell key={one.role} label={one.role}>
                <Mark isSet={one.permissions.includes(permission)} />
              </Cell>
            ))}
          </tr>
        ))}
      </DataTable>
    </>
  );
}

function Mark({ isSet }: { isSet: boolean }) {
  const t = useMessages(messages);
  return (
    <>
      <span aria-hidden="true" className={isSet ? styles.yes : styles.no}>
        {isSet ? '✓' : '–'}
      </span>
      <span className="unseen">{isSet ? t.roles.yes : t.roles.no}</span>
    </>
  );
}
