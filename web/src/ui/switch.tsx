import styles from './ui.module.css';

interface SwitchProps {
  label: string;
  checked: boolean;
  /** While it is saved: it keeps the focus, and ignores what is pressed. */
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** On or off, with effect at once. */
export function Switch({ label, checked, disabled, onChange }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      className={styles.switch}
      checked={checked}
      aria-disabled={disabled}
      onChange={(event) => !disabled && onChange(event.target.checked)}
    />
  );
}
