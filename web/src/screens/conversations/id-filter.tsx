import { type SyntheticEvent, useEffect, useId, useState } from 'react';
import { useMessages } from '../../language/language';
import { TextField } from '../../ui/field';
import { messages } from './messages';

interface IdFilterProps {
  label: string;
  value: string;
  /** Ids that are offered, and how often each occurs. Others can be typed. */
  known: { id: string; count: number }[];
  onFilter: (id: string) => void;
}

/** Filters by an id: of those that are offered, or another. */
export function IdFilter({ label, value, known, onFilter }: IdFilterProps) {
  const t = useMessages(messages);
  const listId = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const filter = (id: string) => {
    if (id.trim() !== value) onFilter(id.trim());
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    filter(text);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label={label}
        list={listId}
        value={text}
        placeholder={t.any}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          const { value: typed } = event.target;
          setText(typed);
          // One that is chosen from the list counts at once, as does a field that is emptied.
          if (typed === '' || known.some(({ id }) => id === typed)) filter(typed);
        }}
        onBlur={() => filter(text)}
      />
      <datalist id={listId}>
        {known.map(({ id, count }) => (
          <option key={id} value={id}>
            {t.counted(count)}
          </option>
        ))}
      </datalist>
    </form>
  );
}
