import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useMessages } from '../../../language/language';
import { TextField } from '../../../ui/field';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import { messages } from '../messages';
import styles from './labels.module.css';

interface LabelFormProps {
  nameLabel: string;
  name: string;
  color: string;
  /** The state of the call that saves it. */
  call: { isPending: boolean; error: unknown };
  submit: string;
  onSubmit: (fields: { name: string; color: string }) => void;
  /** More buttons. */
  children?: ReactNode;
}

/** Name and colour of a label. */
export function LabelForm({ nameLabel, call, submit, onSubmit, children, ...saved }: LabelFormProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const [name, setName] = useState(saved.name);
  const [color, setColor] = useState(saved.color);
  const isSame = name.trim() === saved.name && color === saved.color;
  const reason = name.trim() === '' ? reasons.missing(nameLabel) : isSame ? reasons.unchanged : undefined;
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), color });
  };
  return (
    <form className={styles.row} onSubmit={save}>
      <TextField
        type="color"
        label={t.labels.color}
        value={color}
        onChange={(event) => setColor(event.target.value)}
      />
      <TextField
        label={nameLabel}
        value={name}
        required
        maxLength={50}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <div className={styles.buttons}>
        <SubmitButton isCompact disabled={call.isPending} reason={reason}>
          {submit}
        </SubmitButton>
        {children}
      </div>
      {call.error !== null && (
        <div className={styles.fault}>
          <CallError error={call.error} />
        </div>
      )}
    </form>
  );
}
