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
  /** What is wrong with what is written. */
  fault?: string | undefined;
}

function Field({ label, id, hint, fault, children }: Explained & { id: string; children: ReactNode }) {
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
      {fault && (
        <p id={faultIdOf(id)} role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}

const hintIdOf = (id: string) => `${id}-hint`;
const faultIdOf = (id: string) => `${id}-fault`;

/** What screen readers read of an input, besides its label. */
const described = (id: string, { hint, fault }: Pick<Explained, 'hint' | 'fault'>) => ({
  'aria-describedby': [hint && hintIdOf(id), fault && faultIdOf(id)].filter(Boolean).join(' ') || undefined,
  'aria-invalid': fault ? true : undefined,
});

/** A line of text under its label. */
export function TextField({
  label,
  hint,
  fault,
  ...rest
}: Explained & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <Field label={label} id={id} hint={hint} fault={fault}>
      <input {...rest} {...described(id, { hint, fault })} id={id} className={styles.input} />
    </Field>
  );
}

/** Several lines of text under their label. */
export function TextArea({
  label,
  hint,
  fault,
  ...rest
}: Explained & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Field label={label} id={id} hint={hint} fault={fault}>
      <textarea {...rest} {...described(id, { hint, fault })} id={id} className={styles.input} />
    </Field>
  );
}

interface SelectProps extends Labelled, Pick<Explained, 'hint'>, SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly { value: string; text: string }[];
}

/** One of a few values. */
export function Select({ label, hint, options, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Field label={label} id={id} hint={hint}>
      <select {...rest} {...described(id, { hint, fault: undefined })} id={id} className={styles.input}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
