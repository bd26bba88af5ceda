import { type SyntheticEvent, useState } from 'react';
import { useMessages } from '../../language/language';
import { TextField } from '../../ui/field';
import { SubmitButton, useReasons } from '../../ui/submit-button';
import { messages } from './messages';
import { MAX_NAME } from './saved-views';
import styles from './views.module.css';

interface NameFormProps {
  label: string;
  name: string;
  /** Names of other views. */
  taken: readonly string[];
  submit: string;
  onSubmit: (name: string) => void;
}

/** The name of a view, which no other one has. */
export function NameForm({ label, name: saved, taken, submit, onSubmit }: NameFormProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const [typed, setTyped] = useState(saved);
  const name = typed.trim();
  const isTaken = taken.includes(name);
  const reason =
    name === '' ? reasons.missing(label) : name === saved ? reasons.unchanged : isTaken ? t.taken : undefined;
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit(name);
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <TextField
        label={label}
        value={typed}
        maxLength={MAX_NAME}
        autoComplete="off"
        fault={isTaken ? t.taken : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <SubmitButton isCompact reason={reason}>
        {submit}
      </SubmitButton>
    </form>
  );
}
