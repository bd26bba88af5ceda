import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './ui.module.css';

interface DialogProps {
  title: string;
  /** For what is compared side by side. */
  isWide?: boolean;
  /** Its title is only read to screen readers, and its content reaches the edges. */
  isBare?: boolean;
  /** Whether Escape leaves it open, as something in it would be lost. */
  isKept?: boolean;
  /** Called in place of closing it then. */
  onKept?: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open as long as it is rendered. Escape closes it; the focus returns to where it was. */
export function Dialog({
  title,
  isWide = false,
  isBare = false,
  isKept = false,
  onKept,
  onClose,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed while it is still in the page: from outside of it, the focus would not return.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${isWide ? styles.wide : ''} ${isBare ? styles.bare : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (isKept) onKept?.();
        else onClose();
      }}
      onKeyDown={(event) => {
        // A second Escape would close it without asking.
        if (!isKept || event.key !== 'Escape') return;
        event.preventDefault();
        onKept?.();
      }}
    >
      <div className={isBare ? undefined : styles.dialogBody}>
        <h2 id={titleId} className={isBare ? 'unseen' : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
