import { Button } from './button';
import styles from './choice.module.css';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; text: string }[];
  onChange: (value: Value) => void;
}

/** Small buttons, one of which is pressed. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          size="small"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </Button>
      ))}
    </fieldset>
  );
}
