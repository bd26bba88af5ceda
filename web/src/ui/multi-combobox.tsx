import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { described, Field, useKeyGuard } from './field';
import styles from './multi-combobox.module.css';

const en = {
  suggestions: 'Suggestions',
  remove: (value: string) => `Remove ${value}`,
  enter: 'Enter adds it',
  enterNew: 'New: Enter adds it',
};
const zh: typeof en = {
  suggestions: '建议',
  remove: (value) => `移除 ${value}`,
  enter: '按 Enter 添加',
  enterNew: '新的：按 Enter 添加',
};
const messages: Dictionary<typeof en> = { en, zh };

export interface Suggestion {
  value: string;
  /** Beside it, such as how much it has. */
  text?: string | undefined;
}

interface MultiComboboxProps {
  label: string;
  hint?: string | undefined;
  placeholder?: string | undefined;
  values: readonly string[];
  onValues: (values: string[]) => void;
  /** What is typed, for whoever makes suggestions. */
  typed: string;
  onTyped: (typed: string) => void;
  suggestions: readonly Suggestion[];
  /** The values in a text that is no suggestion. */
  read: (text: string) => string[];
  /** More replace the ones before. */
  most?: number | undefined;
  onFocus?: () => void;
}

/**
 * Several values, each chosen from suggestions or typed, by the pattern "combobox with listbox" of ARIA. Enter adds what is
 * typed, and leaving the field does. Backspace in the empty field takes the last one away.
 */
export function MultiCombobox(props: MultiComboboxProps) {
  const { label, hint, placeholder, values, onValues, typed, onTyped, suggestions, read, most, onFocus } =
    props;
  const t = useMessages(messages);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const guard = useKeyGuard();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<string>();
  const part = typed.trim().toLowerCase();
  const choices = suggestions.filter(
    ({ value }) => !values.includes(value) && value.toLowerCase().includes(part),
  );
  const isShown = isOpen && choices.length > 0;
  const place = isShown ? choices.findIndex(({ value }) => value === active) : -1;
  const listId = `${id}-list`;
  const chipId = (at: number) => `${id}-chip-${at}`;
  const description = described(id, { hint: hint ?? '', fault: guard.fault });
  const optionId = (at: number) => `${listId}-${at}`;

  const add = (added: string[]) => {
    const all = [...new Set([...values, ...added])];
    onTyped('');
    setActive(undefined);
    if (all.length > values.length) onValues(most === undefined ? all : all.slice(-most));
    if (most !== undefined && all.length >= most) setOpen(false);
  };
  const addTyped = () => {
    const text = typed.trim();
    if (text !== '') add(suggestions.some(({ value }) => value === text) ? [text] : read(text));
  };
  const remove = (value: string) => {
    onValues(values.filter((one) => one !== value));
    input.current?.focus();
  };
  const move = (event: KeyboardEvent, by: 1 | -1) => {
    event.preventDefault();
    setOpen(true);
    if (!isShown) return;
    const next = place < 0 && by < 0 ? choices.length - 1 : place + by;
    // Beyond both ends is the text itself.
    setActive(choices[next]?.value);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = values.at(-1);
    if (event.key === 'ArrowDown') move(event, 1);
    else if (event.key === 'ArrowUp') move(event, -1);
    else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Enter') {
      const chosen = choices[place];
      // An empty field leaves it to the form.
      if (chosen || typed.trim() !== '') event.preventDefault();
      if (chosen) add([chosen.value]);
      else addTyped();
      setOpen(false);
    } else if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last);
  };
  return (
    <Field label={label} id={id} hint={hint ?? ''} fault={guard.fault}>
      <div className={styles.field}>
        <div className={styles.box}>
          {values.map((value, at) => (
            <span key={value} className={styles.chip}>
              <span id={chipId(at)}>{value}</span>
              <button
                type="button"
                className={styles.remove}
                aria-label={t.remove(value)}
                onClick={() => remove(value)}
              >
                <X aria-hidden="true" />
              </button>
            </span>
          ))}
          <input
            {...description}
            aria-describedby={
              [description['aria-describedby'], ...values.map((_, at) => chipId(at))]
                .filter(Boolean)
                .join(' ') || undefined
            }
            ref={input}
            id={id}
            className={styles.input}
            value={typed}
            placeholder={values.length === 0 ? placeholder : undefined}
            maxLength={1_000}
            role="combobox"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={place >= 0 ? optionId(place) : undefined}
            autoComplete="off"
            spellCheck={false}
            onFocus={onFocus}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={() => {
              setOpen(false);
              addTyped();
            }}
            onChange={({ target: { value } }) => {
              if (!guard.admits(value)) return;
              setOpen(true);
              setActive(undefined);
              onTyped(value);
            }}
          />
          {typed.trim() !== '' && (
            <span className={styles.enter} aria-hidden="true">
              {suggestions.some(({ value }) => value === typed.trim()) ? t.enter : t.enterNew}
            </span>
          )}
        </div>
        {isShown && (
          <div id={listId} role="listbox" aria-label={t.suggestions} className={styles.list}>
            {choices.map(({ value, text }, at) => (
              <button
                key={value}
                id={optionId(at)}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={at === place}
                className={styles.choice}
                // The field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  add([value]);
                  input.current?.focus();
                }}
              >
                <span>{value}</span>
                {text !== undefined && <small>{text}</small>}
              </button>
            ))}
          </div>
        )}
      </div>
    </Field>
  );
}
