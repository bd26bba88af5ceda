import type { ReactNode } from 'react';
import { Author } from '../../api/author';
import { useFormat, useMessages } from '../../language/language';
import styles from './members.module.css';
import { messages } from './messages';
import { RoleBadge } from './role-badge';
import type { Member } from './use-members';

/** What is known of a member. */
export function MemberFacts({ member }: { member: Member }) {
  const t = useMessages(messages);
  const { time } = useFormat();
  const { userId, subject, issuer, email, createdTime, lastSeenTime, updatedTime, updatedBy } = member;
  const facts: [string, ReactNode][] = [
    [t.facts.userId, <code key="id">{userId}</code>],
    [t.columns.issuer, issuer],
    [t.facts.subject, subject === userId ? null : <code key="subject">{subject}</code>],
    [t.facts.email, email],
    [t.columns.role, <RoleBadge key="role" role={member.role} />],
    [t.facts.since, time(createdTime)],
    [t.columns.lastSeen, time(lastSeenTime)],
    [
      t.facts.changed,
      updatedTime && (
        <>
          {time(updatedTime)} {updatedBy && <Author userId={updatedBy} />}
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
