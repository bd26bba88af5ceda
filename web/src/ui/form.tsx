import type { ReactNode, SyntheticEvent } from 'react';
import styles from './ui.module.css';

/** Fields one below the other, with their buttons. */
export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
    </form>
  );
}
