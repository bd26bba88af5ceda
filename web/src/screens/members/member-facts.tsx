import type { ReactNode } from 'react';
import { Author } from '../../api/author';
import { useMessages } from '../../language/language';
import { Time } from '../../ui/time';
import styles from './members.module.css';
import { messages } from './messages';
import { RoleBadge } from './role-badge';
import type { Member } from './use-members';

/** What is known of a member. */
export function MemberFacts({ member }: { member: Member }) {
  const t = useMessages(messages);
  const { userId, subject, issuer, email, createdTime, lastSeenTime, updatedTime, updatedBy } = member;
  const facts: [string, ReactNode][] = [
    [t.facts.userId, <code key="id">{userId}</code>],
    [t.columns.issuer, issuer],
    [t.facts.subject, subject === userId ? null : <code key="subject">{subject}</code>],
    [t.facts.email, email],
    [t.columns.role, <RoleBadge key="role" role={member.role} />],
    [t.facts.since, <Time key="since" iso={createdTime} />],
    [t.columns.lastSeen, <Time key="seen" iso={lastSeenTime} />],
    [
      t.facts.changed,
      updatedTime && (
        <>
          <Time iso={updatedTime} /> {updatedBy && <Author userId={updatedBy} />}
        </>
      ),
    ],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
