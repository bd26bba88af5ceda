import type { CSSProperties } from 'react';
import { hueOf, initialsOf } from './initials';
import styles from './person.module.css';

interface PersonProps {
  /** As in the audit log. */
  userId: string;
  /** The id is shown where it is not known. */
  name?: string | null | undefined;
  /** Who says so, a provider. */
  issuer?: string | null | undefined;
}

/** A person by name, beside a picture of the initials. A tooltip has the id and its issuer. */
export function Person({ userId, name, issuer }: PersonProps) {
  const shown = name || userId;
  const title = [userId === shown ? undefined : userId, issuer].filter(Boolean).join(' · ');
  return (
    <span className={styles.person} title={title || undefined}>
      <span aria-hidden="true" className={styles.picture} style={{ '--hue': hueOf(userId) } as CSSProperties}>
        {initialsOf(shown)}
      </span>
      <span className={styles.name}>{shown}</span>
    </span>
  );
}
