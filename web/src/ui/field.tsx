import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import styles from './ui.module.css';

interface Labelled {
  label: string;
}

interface Explained extends Labelled {
  /** What to write into it, under it; screen readers read it with the label. */
  hint?: string;
}

function Field({ label, id, hint, children }: Explained & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={hintIdOf(id)} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

const hintIdOf = (id: string) => `${id}-hint`;

/** A line of text under its label. */
export function TextField({
  label,
  hint,
  ...rest
}: Explained & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <Field label={label} id={id} hint={hint}>
      <input {...rest} id={id} aria-describedby={hint && hintIdOf(id)} className={styles.input} />
    </Field>
  );
}

/** Several lines of text under their label. */
export function TextArea({ label, hint, ...rest }: Explained & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Field label={label} id={id} hint={hint}>
      <textarea {...rest} id={id} aria-describedby={hint && hintIdOf(id)} className={styles.input} />
    </Field>
  );
}

interface SelectProps extends Labelled, SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly { value: string; text: string }[];
}

/** One of a few values. */
export function Select({ label, options, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Field label={label} id={id}>
      <select {...rest} id={id} className={styles.input}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
