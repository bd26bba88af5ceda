import { useMessages } from '../../language/language';
import { Badge } from '../../ui/badge';
import styles from './members.module.css';
import { messages } from './messages';
import type { Member } from './use-members';

/** The role that was given here, or that none was. */
export function RoleBadge({ role }: Pick<Member, 'role'>) {
  const t = useMessages(messages);
  if (role === null) return <span className={styles.claims}>{t.byClaims}</span>;
  return (
    <Badge tone={role === 'admin' ? 'good' : 'neutral'}>{role === 'unknown' ? t.unknownRole : role}</Badge>
  );
}
