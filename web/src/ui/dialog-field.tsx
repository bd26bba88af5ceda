import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './ui.module.css';

interface DialogFieldProps {
  label: string;
  onOpen: () => void;
  /** The present value. */
  children: ReactNode;
}

/** A value that is chosen in a dialog. */
export function DialogField({ label, onOpen, children }: DialogFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {label}
      </span>
      <button
        type="button"
        id={id}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        className={`${styles.input} ${styles.chooser}`}
        onClick={onOpen}
      >
        <span>{children}</span>
        <ChevronDown />
      </button>
    </div>
  );
}
