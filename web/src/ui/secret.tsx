import { useId } from 'react';
import { CopyButton } from './copy-button';
import styles from './secret.module.css';

interface SecretProps {
  label: string;
  secret: string;
}

/** A secret to be copied, which is selected as a whole. */
export function Secret({ label, secret }: SecretProps) {
  const id = useId();
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.secret}>
        <input id={id} readOnly value={secret} onFocus={(event) => event.target.select()} />
        <CopyButton text={secret} />
      </div>
    </div>
  );
}
