import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import styles from './combobox.module.css';
import { TextField } from './field';

export interface Choice {
  key: string;
  content: ReactNode;
  onChoose: () => void;
}

interface ComboboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** What is offered for the value, under titles; undefined where nothing is known yet. */
  groups: { title: string; choices: Choice[] }[] | undefined;
  /** What is said where nothing is offered. */
  empty: string;
  /** Whether the list stands below the field all the time, with its first line chosen, as in a dialog. */
  isInline?: boolean;
}

/** A line of text that offers what it may become while it is typed, by the pattern "combobox with listbox" of ARIA. */
export function Combobox({ value, onValue, groups, empty, isInline = false, ...rest }: ComboboxProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<string>();
  const choices = groups?.flatMap((group) => group.choices) ?? [];
  const isShown = groups !== undefined && (isInline || (isOpen && value.trim() !== ''));
  const found = choices.findIndex(({ key }) => key === active);
  const place = isInline ? Math.max(found, Math.min(choices.length, 1) - 1) : found;
  const idOf = (choice: Choice | undefined) => choice && `${id}-${choices.indexOf(choice)}`;
  const listRef = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line follows from its place
  useEffect(() => {
    listRef.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [place]);
  const choose = ({ onChoose }: Choice) => {
    setOpen(false);
    setActive(undefined);
    onChoose();
  };
  const move = (event: KeyboardEvent, to: number) => {
    event.preventDefault();
    setOpen(true);
    // Beyond both ends is the text itself; where one is always chosen, they meet.
    setActive(
      isShown ? (choices[to] ?? (isInline ? choices.at(to < 0 ? -1 : 0) : undefined))?.key : undefined,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const chosen = isShown ? choices[place] : undefined;
    if (event.key === 'ArrowDown') move(event, place + 1);
    else if (event.key === 'ArrowUp') move(event, place < 0 ? choices.length - 1 : place - 1);
    else if (event.key === 'Escape' && isShown && !isInline) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Enter') {
      if (chosen) event.preventDefault();
      if (chosen) choose(chosen);
      else setOpen(false);
    }
  };
  return (
    <div className={isInline ? styles.large : styles.combobox}>
      <TextField
        {...rest}
        value={value}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? idOf(choices[place]) : undefined}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setOpen(true);
          setActive(undefined);
          onValue(event.target.value);
        }}
      />
      {isShown && (
        <div ref={listRef} className={isInline ? `${styles.list} ${styles.inline}` : styles.list}>
          {choices.length === 0 && <p className={styles.empty}>{empty}</p>}
          <div id={id} role="listbox" aria-label={rest.label}>
            {groups.map(
              ({ title, choices: some }) =>
                some.length > 0 && (
                  // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a listbox
                  <div key={title} role="group" aria-label={title}>
                    <p className={styles.title} role="presentation">
                      {title}
                    </p>
                    {some.map((choice) => (
                      <button
                        key={choice.key}
                        id={idOf(choice)}
                        type="button"
                        role="option"
                        tabIndex={-1}
                        aria-selected={choice === choices[place]}
                        className={styles.choice}
                        // The field keeps the focus.
                        onMouseDown={(event) => event.preventDefault()}
                        onClick={() => choose(choice)}
                      >
                        {choice.content}
                      </button>
                    ))}
                  </div>
                ),
            )}
          </div>
        </div>
      )}
    </div>
  );
}
