import { type ReactNode, useId } from 'react';
import styles from './check.module.css';

interface CheckProps {
  /** A name of the API. */
  name: string;
  /** What it means, a sentence each. */
  hints: readonly string[];
  checked: boolean;
  disabled?: boolean;
  onChange: () => void;
}

/** One of several that can be chosen together, with what it means. */
export function Check({ name, hints, checked, disabled, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hints`}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
      <label htmlFor={id}>
        <code>{name}</code>
      </label>
      <p id={`${id}-hints`} className={styles.hint}>
        {hints.join(' ')}
      </p>
    </div>
  );
}

interface CheckGroupProps {
  label: string;
  /** Whether there are too many for a column. */
  isGrid?: boolean;
  children: ReactNode;
}

/** Several of them. */
export function CheckGroup({ label, isGrid = false, children }: CheckGroupProps) {
  return (
    <fieldset className={isGrid ? `${styles.group} ${styles.columns}` : styles.group}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}
