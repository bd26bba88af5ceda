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

function Field({ label, id, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}

/** A line of text under its label. */
export function TextField({
  label,
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <Field label={label} id={id}>
      <input {...rest} id={id} className={styles.input} />
    </Field>
  );
}

/** Several lines of text under their label. */
export function TextArea({ label, ...rest }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Field label={label} id={id}>
      <textarea {...rest} id={id} className={styles.input} />
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
