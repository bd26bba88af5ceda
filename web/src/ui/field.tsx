import { ChevronDown } from 'lucide-react';
import {
  type ChangeEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { holdsApiKey } from './api-keys';
import styles from './ui.module.css';

const messages: Dictionary<{ isKey: string }> = {
  en: {
    isKey:
      'That is an API key of Lectern, so it was not entered. Keys belong in the sign-in, and in the header X-Api-Key of programs.',
  },
  zh: {
    isKey: '这是 Lectern 的 API 密钥，因此未填入。密钥只应用于登录，或放在程序的 X-Api-Key 请求头中。',
  },
};

interface Labelled {
  label: string;
}

interface Explained extends Labelled {
  /** What to write into it, under it; screen readers read it with the label. */
  hint?: string;
  /** What is wrong with what is written. */
  fault?: string | undefined;
}

/** A label, with what is written under a field. */
export function Field({ label, id, hint, fault, children }: Explained & { id: string; children: ReactNode }) {
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
export const described = (id: string, { hint, fault }: Pick<Explained, 'hint' | 'fault'>) => ({
  'aria-describedby': [hint && hintIdOf(id), fault && faultIdOf(id)].filter(Boolean).join(' ') || undefined,
  'aria-invalid': fault ? true : undefined,
});

/** Keeps API keys out of a field, and says so. */
export function useKeyGuard() {
  const t = useMessages(messages);
  const [isKey, setKey] = useState(false);
  const admits = (value: string): boolean => {
    const holdsKey = holdsApiKey(value);
    setKey(holdsKey);
    return !holdsKey;
  };
  return { fault: isKey ? t.isKey : undefined, admits };
}

/** A line of text under its label. Refuses API keys, which might come into the address; password fields take them. */
export function TextField({
  label,
  hint,
  fault: given,
  onChange,
  ...rest
}: Explained & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  const guard = useKeyGuard();
  const fault = guard.fault ?? given;
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    // Whoever is not told keeps the text from before, which React shows again.
    if (rest.type === 'password' || guard.admits(event.target.value)) onChange?.(event);
  };
  return (
    <Field label={label} id={id} hint={hint} fault={fault}>
      <input
        {...rest}
        {...described(id, { hint, fault })}
        id={id}
        data-empty={rest.value || rest.defaultValue ? undefined : ''}
        className={styles.input}
        onChange={change}
      />
    </Field>
  );
}

/** Several lines of text under their label. */
export function TextArea({
  label,
  hint,
  fault,
  ...rest
}: Explained & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
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
      <span className={styles.select}>
        <select {...rest} {...described(id, { hint, fault: undefined })} id={id} className={styles.input}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown />
      </span>
    </Field>
  );
}
